/** Remembers the lines of code that a thinking loop has shown, so that tools do not show them again. */
import type { ShownCode } from "../../tools/contract.ts";

export interface ShownLines extends ShownCode {
  /** Forgets the shown lines. Call it after shortening replies: tools may then show this code again. */
  forget(): void;
}

export function createShownLines(): ShownLines {
  const files = new Map<string, Map<number, string>>();
  return {
    has: (path, line, text) => files.get(path)?.get(line) === text,
    note(path, startLine, lines) {
      const known = files.get(path) ?? new Map<number, string>();
      for (const [at, text] of lines.entries()) known.set(startLine + at, text);
      files.set(path, known);
    },
    forget: () => files.clear(),
  };
}
