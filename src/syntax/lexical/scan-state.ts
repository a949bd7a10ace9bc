/** The scanner's state and the helpers that all its parts share. */
import { backslash, isName, kindOf, kinds, newline } from "./bytes.ts";
import type { Lexis } from "./lexis.ts";
import { hashSeed, type Names, prime } from "./names.ts";
import type { Tokens } from "./tokens.ts";

export interface Scan {
  readonly lexis: Lexis;
  readonly names: Names;
  readonly tokens: Tokens;
  readonly bytes: Uint8Array;
  readonly end: number;
  at: number;
  line: number;
  /** For each open template literal, the number of open braces in its `${`. */
  readonly templates: number[];
}

/**
 * Maximum length in bytes of a word in comments and strings. The scanner drops longer ones, because people do not write
 * them.
 */
export const longestName = 64;
export const longestCodeName = 250;

export function push(scan: Scan, what: number): void {
  const { tokens } = scan;
  const index = tokens.count++;
  tokens.what[index] = what;
  tokens.start[index] = scan.at;
  tokens.line[index] = scan.line;
  scan.at++;
}

/** Records the words from the current position to `stop` as words of a comment or a string, and counts lines. */
export function readProse(scan: Scan, stop: number, isString: 0 | 1): void {
  const { bytes, tokens } = scan;
  let at = scan.at;
  while (at < stop) {
    const byte = bytes[at] ?? 0;
    const kind = kindOf[byte];
    if (kind === kinds.letter) {
      const start = at;
      let sum = hashSeed;
      let next = byte;
      do {
        sum = Math.imul(sum ^ next, prime);
        next = bytes[++at] ?? 0;
      } while (isName[next] === 1 && at < stop);
      if (at - start > longestName) continue;
      const index = tokens.proseCount++;
      tokens.prose[index] = scan.names.intern(bytes, start, at, sum);
      tokens.proseLine[index] = scan.line * 2 + isString;
    } else if (kind === kinds.newline) {
      at++;
      scan.line++;
      tokens.lineStarts[tokens.lines++] = at;
    } else if (isString === 1 && byte === backslash) at = bytes[at + 1] === newline ? at + 1 : at + 2;
    else if (kind === kinds.digit) while (isName[bytes[++at] ?? 0] === 1);
    else at++;
  }
  scan.at = Math.max(at, stop);
}

export function readLineProse(scan: Scan): void {
  const { bytes, end } = scan;
  let stop = scan.at;
  while (stop < end && bytes[stop] !== newline) stop++;
  readProse(scan, stop, 0);
}
