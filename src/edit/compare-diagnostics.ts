/** What an edit broke, as a compiler or language server sees it: errors that were not there before. */
import type { CodeDiagnostic } from "../domain/code-intelligence.ts";

/** A problem with the symbol that it stands in, where that is known. */
export interface SeenDiagnostic {
  readonly diagnostic: Omit<CodeDiagnostic, "severity"> & {
    /** `fatal` is some linters' word for a file that they cannot read at all. */
    readonly severity: CodeDiagnostic["severity"] | "fatal";
  };
  readonly symbol?: string;
}

/**
 * The errors after an edit that are new: by file, message, code and symbol, so that an error which only moved is none. One more
 * of the same is new; warnings never are. `renames` are old and new names of files.
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

/** Messages name other places by their lines, which shift: `first defined at a.py:12:5`, `(line 7)`. */
function withoutPlaces(message: string): string {
  return message
    .replace(/\bline \d+/gi, "line")
    .replace(/:\d+(?::\d+)?\b/g, ":")
    .replace(/\s+/g, " ")
    .trim();
}
