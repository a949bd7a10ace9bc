/** The cause of an error, which also decides the exit code of the command line. */
export type ErrorCode =
  | "usage" // the command line or the configuration is wrong: exit 2
  | "sandbox" // the sandbox could not be opened or broke: exit 3
  | "disk" // no space, no permission, a damaged run directory: exit 3
  | "network" // a command lost the network: exit 3
  | "repository" // the repository cannot be read or copied: exit 3
  | "model" // the model provider failed for good: exit 3
  | "queue" // the server that machines share a batch by cannot be used: exit 3
  | "interrupted" // the caller stopped it: exit 130
  | "internal"; // a defect of Millwright: exit 3

/**
 * An error of infrastructure or configuration, or a defect of Millwright. Problems that an action or the user can react
 * to (no match, a broken build) are a `Failure` instead. A reached limit is an outcome of the run, not an error.
 */
export class MillwrightError extends Error {
  readonly code: ErrorCode;
  /** A sentence that says what the user can do. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "MillwrightError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** The exit code after an interrupt by the user: 128 + SIGINT, as in shells. */
export const interruptedExitCode = 130;

/**
 * Returns the exit code of `millwright` for an error: 2 for wrong usage, 130 after an interrupt, 3 for every other
 * error.
 */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof MillwrightError)) return 3;
  return error.code === "usage" ? 2 : error.code === "interrupted" ? interruptedExitCode : 3;
}

/** The system's codes of a full, read-only or broken disk. */
const diskCodes = /^(ENOSPC|EDQUOT|EROFS|EIO)$/;

/** Turns the error of a full, read-only or broken disk into MillwrightError("disk"); returns other errors unchanged. */
export function asDiskError(error: unknown): unknown {
  const isFull =
    isSystemError(error) &&
    (diskCodes.test(error.code ?? "") || /disk is full|disk I\/O error/i.test(error.message));
  if (!isFull) return error;
  const place = error.path === undefined ? "" : ` (${error.path})`;
  return new MillwrightError("disk", `Cannot write to the disk: ${error.message}${place}`, {
    cause: error,
    hint: "Free some space, or use a folder on another disk (for runs: runsDir). `millwright resume` continues a run.",
  });
}

/** True for a system error such as ENOENT or ENOSPC. With `code`, true only for this error. */
export function isSystemError(error: unknown, code?: string): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || error instanceof MillwrightError) return false;
  return "code" in error && (code === undefined || error.code === code);
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  ENOTDIR: "part of its path is not a folder",
  EACCES: "no permission to read it",
};

/** Describes why a file could not be read, in words that follow "cannot be read: ". */
export function describeReadError(error: unknown): string {
  const known = isSystemError(error) ? fileProblems[error.code ?? ""] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}
