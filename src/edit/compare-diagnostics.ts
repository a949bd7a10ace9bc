/** Finds the errors that an edit caused, by comparing diagnostics of a compiler or language server. */
import type { CodeDiagnostic } from "../domain/code-intelligence.ts";

/** A diagnostic, with the name of its enclosing symbol if known. */
export interface SeenDiagnostic {
  readonly diagnostic: Omit<CodeDiagnostic, "severity"> & {
    /** `fatal` is some linters' word for a file that they cannot read at all. */
    readonly severity: CodeDiagnostic["severity"] | "fatal";
  };
  readonly symbol?: string;
}

/**
 * Finds the errors that are new after an edit. Compares errors by file, source, code, message and symbol, so an error
 * that only moved to another line is not new. If the file has more equal errors than before, the additional ones are
 * new. Ignores warnings. `renames`: maps old names of files to new ones.
 */
export function findNewErrors(
  before: readonly SeenDiagnostic[],
  after: readonly SeenDiagnostic[],
  renames: ReadonlyMap<string, string> = new Map(),
): SeenDiagnostic[] {
  const known = new Map<string, number>();
  for (const seen of before.filter(isError)) {
    const { path } = seen.diagnostic;
    const key = keyOf(seen, renames.get(path) ?? path);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return after.filter(isError).filter((seen) => {
    const key = keyOf(seen, seen.diagnostic.path);
    const left = known.get(key) ?? 0;
    known.set(key, left - 1);
    return left <= 0;
  });
}

function isError({ diagnostic }: SeenDiagnostic): boolean {
  return diagnostic.severity === "error" || diagnostic.severity === "fatal";
}

function keyOf({ diagnostic, symbol }: SeenDiagnostic, path: string): string {
  const { source, code, message } = diagnostic;
  return JSON.stringify([path, source, code, withoutPlaces(message), symbol]);
}

/**
 * Removes line numbers of other places from messages, because edits shift these lines: `first defined at a.py:12:5`,
 * `(line 7)`.
 */
function withoutPlaces(message: string): string {
  return message
    .replace(/\bline \d+/gi, "line")
    .replace(/:\d+(?::\d+)?\b/g, ":")
    .replace(/\s+/g, " ")
    .trim();
}
