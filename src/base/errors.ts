/** Who can do something about the error, and so which exit code the command line ends with. */
export type ErrorCode =
  | "usage" // the command line or the configuration is wrong: exit 2
  | "sandbox" // the sandbox could not be opened or broke: exit 3
  | "disk" // no space, no permission, a damaged run directory: exit 3
  | "repository" // the repository cannot be read or copied: exit 3
  | "model" // the model provider failed for good: exit 3
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

/** The exit code of `millwright` for an error: 2 for wrong usage, 3 for infrastructure. */
export function exitCodeOf(error: unknown): number {
  return error instanceof MillwrightError && error.code === "usage" ? 2 : 3;
}

/** True for a system error such as ENOENT or ENOSPC. */
export function isSystemError(error: unknown, code?: string): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && (code === undefined || error.code === code);
}
