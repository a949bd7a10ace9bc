/**
 * Scans strings, characters and templates. Records the words in them as words of strings. In the list of code tokens,
 * one mark represents each string.
 */
import {
  at64,
  back,
  backslash,
  capitalR,
  closeRound,
  closeSquare,
  dollar,
  equals,
  hash,
  isName,
  lastOfAscii,
  letterB,
  letterR,
  newline,
  openBrace,
  openRound,
  openSquare,
  quote,
  tick,
} from "./bytes.ts";
import { push, readLineProse, readProse, type Scan } from "./scan-state.ts";
import { marks } from "./tokens.ts";

/** Reads from the opening mark of `size` bytes to `stop`, just before the closing mark of the same size. */
function readBetween(scan: Scan, opening: number, stop: number, closing: number): void {
  push(scan, marks.string);
  scan.at += opening - 1;
  readProse(scan, stop, 1);
  scan.at = Math.min(stop + closing, scan.end);
}

export function readString(scan: Scan, mark: number): void {
  const { bytes, lexis, at } = scan;
  if (lexis.tripleQuotes && bytes[at + 1] === mark && bytes[at + 2] === mark) {
    readBetween(scan, 3, endOfTriple(scan, mark), 3);
    return;
  }
  if (lexis.rawStrings === "csharp" && isVerbatim(scan)) {
    readBetween(scan, 1, endOfDoubled(scan, at + 1), 1);
    return;
  }
  readBetween(scan, 1, endOfString(scan, at + 1, mark, lexis.longStrings), 1);
}

/** The position before the closing mark, or the end of the line or text if there is none. */
function endOfString({ bytes, end }: Scan, start: number, mark: number, isLong: boolean): number {
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === mark || (byte === newline && !isLong)) return at;
    if (byte === backslash) at++;
  }
  return end;
}

function endOfTriple({ bytes, end, at: start }: Scan, mark: number): number {
  for (let at = start + 3; at < end; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === mark && bytes[at + 1] === mark && bytes[at + 2] === mark) return at;
  }
  return end;
}

/** True for C#'s `@"…"` and `$@"…"`. */
function isVerbatim({ bytes, at }: Scan): boolean {
  return bytes[at - 1] === at64 || (bytes[at - 1] === dollar && bytes[at - 2] === at64);
}

function endOfDoubled({ bytes, end }: Scan, start: number): number {
  for (let at = start; at < end; at++)
    if (bytes[at] === quote) {
      if (bytes[at + 1] !== quote) return at;
      at++;
    }
  return end;
}

/**
 * Reads the string, the character or the Rust lifetime that begins with a single quotation mark. A lifetime adds no
 * token.
 */
export function readTick(scan: Scan): void {
  const { bytes, lexis, at, end } = scan;
  if (lexis.singleQuote === "string") {
    readString(scan, tick);
    return;
  }
  if (lexis.singleQuote === "lifetime" && bytes[at + 1] !== backslash && bytes[at + 2] !== tick) {
    let next = at + 1;
    while (isName[bytes[next] ?? 0] === 1) next++;
    // A character of several bytes also ends with a tick.
    scan.at = bytes[next] === tick && (bytes[at + 1] ?? 0) > lastOfAscii ? next + 1 : Math.min(next, end);
    return;
  }
  push(scan, marks.string);
  const stop = endOfString(scan, at + 1, tick, false);
  scan.at = stop < end && bytes[stop] === tick ? stop + 1 : at + 1;
}

export function readBack(scan: Scan): void {
  if (scan.lexis.backtick === "raw") {
    const found = scan.bytes.indexOf(back, scan.at + 1);
    readBetween(scan, 1, found === -1 || found > scan.end ? scan.end : found, 1);
    return;
  }
  push(scan, marks.string);
  readTemplate(scan);
}

/**
 * Reads a template literal up to its end or to a `${`. The `}` that ends the code after `${` continues the template:
 * there, the scanner calls this function again.
 */
export function readTemplate(scan: Scan): void {
  const { bytes, end } = scan;
  for (let at = scan.at; at < end; at++) {
    const byte = bytes[at];
    if (byte === backslash) at++;
    else if (byte === back || (byte === dollar && bytes[at + 1] === openBrace)) {
      readProse(scan, at, 1);
      scan.at = at + (byte === back ? 1 : 2);
      if (byte !== back) scan.templates.push(0);
      return;
    }
  }
  readProse(scan, end, 1);
}

/**
 * Reads a raw string: `r"…"`, `r#"…"#` or `R"x(…)x"`. `at`: the offset after its letters. Returns false if no raw
 * string begins here.
 */
export function opensRawString(scan: Scan, at: number): boolean {
  const { lexis, bytes } = scan;
  const length = at - scan.at;
  if (length > 3) return false;
  const last = bytes[at - 1];
  if (lexis.rawStrings === "rust" && (last === letterR || (last === letterB && bytes[at] === quote)))
    return readRustRaw(scan, at);
  if (lexis.rawStrings === "cpp" && last === capitalR && bytes[at] === quote) return readCppRaw(scan, at);
  return false;
}

function readRustRaw(scan: Scan, from: number): boolean {
  const { bytes, end } = scan;
  let at = from;
  while (bytes[at] === hash) at++;
  if (bytes[at] !== quote) return false;
  const hashes = at - from;
  const isRaw = bytes[from - 1] === letterR;
  const opening = at + 1 - scan.at;
  let stop = at + 1;
  for (; stop < end; stop++) {
    if (!isRaw && bytes[stop] === backslash) stop++;
    else if (bytes[stop] === quote && hasHashes(bytes, stop + 1, hashes)) break;
  }
  readBetween(scan, opening, Math.min(stop, end), 1 + hashes);
  return true;
}

function hasHashes(bytes: Uint8Array, at: number, count: number): boolean {
  for (let index = 0; index < count; index++) if (bytes[at + index] !== hash) return false;
  return true;
}

function readCppRaw(scan: Scan, at: number): boolean {
  const { bytes, end } = scan;
  const first = bytes.indexOf(openRound, at);
  if (first === -1 || first - at > 17 || first > end) return false;
  const closing = new Uint8Array([closeRound, ...bytes.subarray(at + 1, first), quote]);
  for (let stop = first; stop < end; stop++) {
    if (bytes[stop] !== closeRound || !closing.every((byte, index) => bytes[stop + index] === byte)) continue;
    readBetween(scan, first + 1 - scan.at, stop, closing.length);
    return true;
  }
  readBetween(scan, first + 1 - scan.at, end, 0);
  return true;
}

/** True if Lua's long bracket begins at `at`, such as `[[` or `[=[`. */
export function isLongBracket({ bytes }: Scan, at: number): boolean {
  if (bytes[at] !== openSquare) return false;
  let next = at + 1;
  while (bytes[next] === equals) next++;
  return bytes[next] === openSquare;
}

export function readLongBracket(scan: Scan, from: number, isString: 0 | 1): void {
  const { bytes, end } = scan;
  let first = from + 1;
  while (bytes[first] === equals) first++;
  const level = first - from - 1;
  let stop = first + 1;
  for (; stop < end; stop++) {
    if (bytes[stop] !== closeSquare) continue;
    let next = stop + 1;
    while (bytes[next] === equals) next++;
    if (next - stop - 1 === level && bytes[next] === closeSquare) break;
  }
  if (isString === 1) push(scan, marks.string);
  scan.at = first + 1;
  readProse(scan, Math.min(stop, end), isString);
  scan.at = Math.min(stop + level + 2, end);
}

/** Reads a Lua comment after `--`. It ends with the line; after a long bracket, it ends with the closing bracket. */
export function readDashes(scan: Scan): void {
  if (isLongBracket(scan, scan.at + 2)) readLongBracket(scan, scan.at + 2, 0);
  else readLineProse(scan);
}
