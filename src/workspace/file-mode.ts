import type { FileChange } from "./contract.ts";

const modes = ["100644", "100755", "120000"] as const;

/** Converts the mode of a tree's entry to a file change's mode. Undefined for modes that files do not have. */
export function fileMode(mode: string | undefined): FileChange["mode"] {
  return modes.find((each) => each === mode);
}
