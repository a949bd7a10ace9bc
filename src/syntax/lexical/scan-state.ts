/** The state of a scan and what every part of it does: a mark, words that are no code. */
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
  /** For each template literal that is open around the code: how many braces are open in its `${`. */
  readonly templates: number[];
}

/** What a byte begins. */
export const kinds = {
  other: 0,
  space: 1,
  newline: 2,
  letter: 3,
  digit: 4,
  quote: 5,
  tick: 6,
  back: 7,
  slash: 8,
  hash: 9,
  dash: 10,
  open: 11,
  close: 12,
  bracket: 13,
} as const;

export const kindOf = new Uint8Array(256);
export const isName = new Uint8Array(256);
for (let byte = 0; byte < 256; byte++) {
  const character = String.fromCharCode(byte);
  const isLetter = /[A-Za-z_$]/.test(character) || byte >= 128;
  kindOf[byte] = isLetter
    ? kinds.letter
    : /[0-9]/.test(character)
      ? kinds.digit
      : byte <= 32
        ? kinds.space
        : kinds.other;
  isName[byte] = isLetter || /[0-9]/.test(character) ? 1 : 0;
}
export const newline = 10;
export const backslash = 92;
export const [star, slash, quote, tick, back, hash, dash] = [42, 47, 34, 39, 96, 35, 45];
kindOf[newline] = kinds.newline;
for (const [byte, kind] of [
  [quote, kinds.quote],
  [tick, kinds.tick],
  [back, kinds.back],
  [slash, kinds.slash],
  [hash, kinds.hash],
  [dash, kinds.dash],
  [123, kinds.open],
  [125, kinds.close],
  [91, kinds.bracket],
] as const)
  kindOf[byte] = kind;

/** Longer ones are no names that a person wrote. */
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

/** Words up to `stop`, as of a comment or a string. Lines are counted. */
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
  const found = scan.bytes.indexOf(newline, scan.at);
  readProse(scan, found === -1 || found > scan.end ? scan.end : found, 0);
}
