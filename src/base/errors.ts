/** Who can do something about the error, and so which exit code the command line ends with. */
export type ErrorCode =
  | "usage" // the command line or the configuration is wrong: exit 2
  | "sandbox" // the sandbox could not be opened or broke: exit 3
  | "disk" // no space, no permission, a damaged run directory: exit 3
  | "repository" // the repository cannot be read or copied: exit 3
  | "model" // the model provider failed for good: exit 3
  | "interrupted" // the caller stopped it: exit 130
  | "internal"; // a defect of Millwright: exit 3

/**
 * The one thrown class: infrastructure and configuration. What an action or the user can react to
 * (no match, a broken build) is a `Failure` instead, and a limit is an outcome.
 */
export class MillwrightError extends Error {
  readonly code: ErrorCode;
  /** What the user can do about it, a sentence. */
  readonly hint: string | undefined;

  constructor(code: ErrorCode, message: string, options: { hint?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = "MillwrightError";
    this.code = code;
    this.hint = options.hint;
  }
}

/** The exit code where the user stopped it: that of SIGINT, as shells have it. */
export const interruptedExitCode = 130;

/** The exit code of `millwright` for an error: 2 for wrong usage, 3 for infrastructure, 130 where the user stopped it. */
export function exitCodeOf(error: unknown): number {
  if (!(error instanceof MillwrightError)) return 3;
  return error.code === "usage" ? 2 : error.code === "interrupted" ? interruptedExitCode : 3;
}

/** What the disk answers when it cannot take more: the system's codes, and those of SQLite. */
const diskCodes = /^(ENOSPC|EDQUOT|EROFS|EIO)$/;

/** The error of a full, read-only or broken disk as MillwrightError("disk"), wherever it was met; other errors as they are. */
export function asDiskError(error: unknown): unknown {
  const isFull =
    isSystemError(error) &&
    (diskCodes.test(error.code ?? "") || /disk is full|disk I\/O error/i.test(error.message));
  if (!isFull) return error;
  const place = error.path === undefined ? "" : ` (${error.path})`;
  return new MillwrightError("disk", `The disk cannot be written: ${error.message}${place}`, {
    cause: error,
    hint: "Free some space, or choose another folder for runs (runsDir); continue a run with `millwright resume`.",
  });
}

/** True for a system error such as ENOENT or ENOSPC. */
export function isSystemError(error: unknown, code?: string): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || error instanceof MillwrightError) return false;
  return "code" in error && (code === undefined || error.code === code);
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: "it does not exist",
  EISDIR: "it is a folder",
  EACCES: "no permission to read it",
};

/** Why a file cannot be read, in words: follows "cannot be read: ". */
export function describeReadError(error: unknown): string {
  const known = isSystemError(error) ? fileProblems[error.code ?? ""] : undefined;
  return known ?? (error instanceof Error ? error.message : String(error));
}
