import type { FileChange } from "./contract.ts";

const modes = ["100644", "100755", "120000"] as const;

/** The mode of a tree's entry as a change of files takes it; undefined for one that no file has. */
export function fileMode(mode: string | undefined): FileChange["mode"] {
  return modes.find((each) => each === mode);
}
