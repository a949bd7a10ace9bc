import { isSystemError, MillwrightError } from "../base/errors.ts";

const full = new Set(["ENOSPC", "EDQUOT"]);
const denied = new Set(["EACCES", "EPERM", "EROFS"]);

export function diskIsFull(cause: unknown, where: string): MillwrightError {
  return new MillwrightError("disk", `No space is left for the private copy of the repository in ${where}.`, {
    hint: "Free space there, or choose a folder for runs (runsDir) on another disk.",
    cause,
  });
}

/**
 * Performs `work`. Converts system errors of a full disk, or of a missing permission to write, to
 * MillwrightError("disk"). Throws all other errors unchanged. `where`: the folder to name in the error.
 */
export async function withDiskErrors<T>(where: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    if (full.has(error.code ?? "")) throw diskIsFull(error, where);
    if (!denied.has(error.code ?? "")) throw error;
    throw new MillwrightError("disk", `Cannot write the private copy of the repository: ${error.message}.`, {
      hint: `Check that ${where} and its contents belong to you and are writable.`,
      cause: error,
    });
  }
}
