import type { FileChange } from "./contract.ts";

const modes = ["100644", "100755", "120000"] as const;

/** Converts the mode of a tree's entry to that of a file change; undefined for a mode that no file has. */
export function fileMode(mode: string | undefined): FileChange["mode"] {
  return modes.find((each) => each === mode);
}
