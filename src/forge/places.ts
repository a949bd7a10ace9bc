/** Makes the paths between a forged project and its target. */

import { posix } from "node:path";
import { quoteWord } from "../base/shell-word.ts";
import type { ForgeRequest } from "./contract.ts";

export interface Places {
  /** Converts a folder of the target, relative to its root, to the form for the project's own files. */
  fromProject(directory: string): string;
  /** Converts a path of the target, relative to its root, to the form for shell texts. */
  fromShell(path: string): string;
  /** The project's folder in shell texts; "." if the texts run in this folder. */
  readonly project: string;
  readonly isOutside: boolean;
}

export function placesOf({ folder, outside }: Pick<ForgeRequest, "folder" | "outside">): Places {
  if (outside === undefined)
    return {
      fromProject: (directory) => posix.relative(folder, directory) || ".",
      fromShell: (path) => path || ".",
      project: folder,
      isOutside: false,
    };
  const inside = (path: string): string => posix.join(outside, path);
  return {
    fromProject: inside,
    fromShell: (path) => quoteWord(inside(path)),
    project: ".",
    isOutside: true,
  };
}
