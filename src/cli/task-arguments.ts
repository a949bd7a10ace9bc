/** What several commands take: a repository's folder, and a statement in words or from a file. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs";
import { resolve, sep } from "node:path";
import { MillwrightError } from "../base/errors.ts";

/** Chooses among the failing tests; may be given several times. */
export const failingTestFlag = [
  "--failing-test <name...>",
  "a failing test that is the task, by its id, name or file; without it: what fits the statement, or all that fail",
] as const;

/** The real path of a repository's folder. Throws MillwrightError("usage") when there is none. */
export function findRepository(folder: string): string {
  const path = resolve(folder);
  if (!existsSync(path) || !statSync(path).isDirectory()) {
    throw new MillwrightError("usage", `${path} is no folder`, {
      hint: "Give the repository's folder with --repo.",
    });
  }
  return realpathSync(path);
}

/** A folder in the place of a statement is meant as the repository. */
export function refuseFolder(command: string, statement: string | undefined): void {
  if (statement === undefined || !existsSync(statement) || !statSync(statement).isDirectory()) return;
  throw new MillwrightError(
    "usage",
    `${statement} is a folder, and the argument of ${command} is a statement`,
    { hint: `To work on that folder: millwright ${command} --repo ${statement}` },
  );
}

/** The statement: the words, the file of `--issue`, or both. */
export function readStatement(issue: string | undefined, words: string | undefined): string {
  if (issue === undefined) return words ?? "";
  if (/^https?:\/\//.test(issue)) {
    throw new MillwrightError(
      "usage",
      "--issue takes a file; issues behind a URL are not read by this version",
      { hint: "Save the issue's text to a file and give that." },
    );
  }
  return [words, readText(issue)].filter((part) => part !== undefined).join("\n\n");
}

export function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new MillwrightError("usage", `${path} cannot be read: ${String(error)}`, { cause: error });
  }
}

/** A file of the repository as it stands, by its path there; undefined where there is none. */
export function readerOf(repository: string): (path: string) => Promise<string | undefined> {
  return async (path) => {
    const file = resolve(repository, path);
    const isInside = file.startsWith(`${repository}${sep}`);
    return isInside && existsSync(file) && statSync(file).isFile() ? readText(file) : undefined;
  };
}
