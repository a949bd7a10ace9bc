/** Reads arguments that several commands share: failing tests, and a statement in words or from a file. */
import { existsSync, statSync } from "node:fs";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { readGivenFile } from "../base/regular-file.ts";

/** The flag that chooses failing tests. Users may give it several times. */
export const failingTestFlag = [
  "--failing-test <name...>",
  "a failing test to repair, by its id, name or file; default: the failing tests that match the statement, or all failing tests",
] as const;

/**
 * Throws MillwrightError("usage") if the statement is the path of a folder: the user probably meant the repository.
 */
export function refuseFolder(command: string, statement: string | undefined): void {
  if (statement === undefined || !existsSync(statement) || !statSync(statement).isDirectory()) return;
  throw new MillwrightError("usage", `${statement} is a folder, but ${command} expects a statement`, {
    hint: `To work on that folder: millwright ${command} --repo ${statement}`,
  });
}

/**
 * Makes the statement from the argument's words, the file that `--issue` names, or both. Throws
 * MillwrightError("usage") for a URL or an unreadable file.
 */
export function readStatement(issue: string | undefined, words: string | undefined): string {
  if (issue === undefined) return words ?? "";
  if (/^https?:\/\//.test(issue)) {
    throw new MillwrightError("usage", "--issue expects a file, and cannot read a URL", {
      hint: "Save the issue's text in a file, and give the file's path.",
    });
  }
  return [words, readText(issue)].filter((part) => part !== undefined).join("\n\n");
}

export function readText(path: string): string {
  try {
    return readGivenFile(path).toString("utf8");
  } catch (error) {
    throw new MillwrightError("usage", `${path} cannot be read: ${describeReadError(error)}`, {
      cause: error,
    });
  }
}
