/** How a forged project and its target name each other's folders. */

import { posix } from "node:path";
import { quoteWord } from "../base/shell-word.ts";
import type { ForgeRequest } from "./contract.ts";

export interface Places {
  /** Of the target, relative to its root, as the project's own files name it. */
  fromProject(directory: string): string;
  /** Likewise, as texts for a shell name it. */
  fromShell(path: string): string;
  /** The project's folder for these texts; "." is where they run. */
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
