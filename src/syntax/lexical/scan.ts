/**
 * The first pass over a text's bytes: records the names and their positions, in code, comments and strings. It builds
 * no tree and uses no regular expressions, so it reads tens of megabytes per second. An unclosed string or comment ends
 * with the line or the text, so broken code is read too.
 */
import {
  backslash,
  closeBrace,
  closeSquare,
  dash,
  dot,
  hash,
  isName,
  kindOf,
  kinds,
  newline,
  openBrace,
  openSquare,
  quote,
  slash,
  star,
} from "./bytes.ts";
import type { Lexis } from "./lexis.ts";
import { hashSeed, type Names, prime } from "./names.ts";
import { longestCodeName, push, readLineProse, readProse, type Scan } from "./scan-state.ts";
import {
  isLongBracket,
  opensRawString,
  readBack,
  readDashes,
  readLongBracket,
  readString,
  readTemplate,
  readTick,
} from "./scan-strings.ts";
import { clearTokens, codes, marks, type Tokens } from "./tokens.ts";

/** Scans the bytes before `end` into `tokens`. `bytes[end]` must exist and be 0. */
export function scanBytes(bytes: Uint8Array, end: number, lexis: Lexis, names: Names, tokens: Tokens): void {
  clearTokens(tokens, end);
  const scan: Scan = { lexis, names, tokens, bytes, end, at: 0, line: 1, templates: [] };
  tokens.lineStarts[tokens.lines++] = 0;
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) scan.at = 3;
  scanCode(scan);
}

/** Handles the most frequent cases (names, spaces, marks); `readOther` handles the rest. */
function scanCode(scan: Scan): void {
  const { bytes, end, names, tokens, templates } = scan;
  const { what, start, line } = tokens;
  let { at } = scan;
  let { count } = tokens;
  while (at < end) {
    const byte = bytes[at] ?? 0;
    const kind = kindOf[byte] ?? 0;
    if (kind === kinds.space) {
      at++;
      continue;
    }
    if (kind === kinds.letter) {
      const from = at;
      let sum = hashSeed;
      let next = byte;
      do {
        sum = Math.imul(sum ^ next, prime);
        next = bytes[++at] ?? 0;
      } while (isName[next] === 1);
      if (next === quote || next === hash) {
        scan.at = from;
        tokens.count = count;
        if (opensRawString(scan, at)) {
          at = scan.at;
          count = tokens.count;
          continue;
        }
      }
      what[count] = at - from > longestCodeName ? marks.number : names.intern(bytes, from, at, sum);
      start[count] = from;
      line[count++] = scan.line;
      continue;
    }
    if (kind === kinds.other && templates.length === 0) {
      what[count] = -byte;
      start[count] = at++;
      line[count++] = scan.line;
      continue;
    }
    scan.at = at;
    tokens.count = count;
    readOther(scan, byte, kind);
    at = scan.at;
    count = tokens.count;
  }
  scan.at = at;
  tokens.count = count;
}

function readOther(scan: Scan, byte: number, kind: number): void {
  const { bytes, lexis } = scan;
  switch (kind) {
    case kinds.newline:
      passLine(scan);
      break;
    case kinds.digit:
      readNumber(scan);
      break;
    case kinds.quote:
      readString(scan, quote);
      break;
    case kinds.tick:
      readTick(scan);
      break;
    case kinds.back:
      if (lexis.backtick === "nothing") push(scan, -byte);
      else readBack(scan);
      break;
    case kinds.slash:
      readSlash(scan);
      break;
    case kinds.hash:
      if (lexis.hash === "comment") readLineProse(scan);
      else push(scan, -byte);
      break;
    case kinds.dash:
      if (lexis.dashComments && bytes[scan.at + 1] === dash) readDashes(scan);
      else push(scan, -byte);
      break;
    case kinds.bracket:
      if (lexis.rawStrings === "lua" && isLongBracket(scan, scan.at)) readLongBracket(scan, scan.at, 1);
      else push(scan, -byte);
      break;
    default:
      readMark(scan, byte);
  }
}

function passLine(scan: Scan): void {
  const { tokens } = scan;
  scan.at++;
  scan.line++;
  tokens.lineStarts[tokens.lines++] = scan.at;
}

/** Reads a punctuation mark. Counts braces only inside a template literal. */
function readMark(scan: Scan, byte: number): void {
  const { templates } = scan;
  if (templates.length > 0 && (byte === openBrace || byte === closeBrace)) {
    const open = templates.at(-1) ?? 0;
    if (byte === closeBrace && open === 0) {
      templates.pop();
      scan.at++;
      readTemplate(scan);
      return;
    }
    templates[templates.length - 1] = open + (byte === openBrace ? 1 : -1);
  }
  push(scan, -byte);
}

/** Reads a number: `0x1f`, `1_000u32`, `1.5e-3`. A method may follow a dot. */
function readNumber(scan: Scan): void {
  const { bytes } = scan;
  const start = scan.at;
  push(scan, marks.number);
  let at = start + 1;
  while (isName[bytes[at] ?? 0] === 1 || (bytes[at] === dot && kindOf[bytes[at + 1] ?? 0] === kinds.digit))
    at++;
  scan.at = at;
}

function readSlash(scan: Scan): void {
  const { bytes, lexis, at } = scan;
  const next = bytes[at + 1];
  if (lexis.slashComments && next === slash) readLineProse(scan);
  else if (lexis.slashComments && next === star) readProse(scan, endOfBlock(scan), 0);
  else if (lexis.regexes && beginsExpression(scan)) readRegex(scan);
  else push(scan, -slash);
}

function endOfBlock({ bytes, end, at: start, lexis }: Scan): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at];
    if (byte === star && bytes[at + 1] === slash) {
      at++;
      if (--depth <= 0) return at + 1;
    } else if (byte === slash && bytes[at + 1] === star && (depth === 0 || lexis.nestedComments)) {
      depth++;
      at++;
    }
  }
  return end;
}

/** True if an expression can begin here. After a name, number, string or closing bracket, a slash means division. */
function beginsExpression({ tokens }: Scan): boolean {
  const last = tokens.count === 0 ? 0 : (tokens.what[tokens.count - 1] ?? 0);
  return (
    !(last >= 0 && tokens.count > 0) &&
    last !== marks.number &&
    last !== marks.string &&
    last !== codes.closeRound &&
    last !== codes.closeSquare &&
    last !== codes.closeBrace
  );
}

function readRegex(scan: Scan): void {
  const { bytes, end } = scan;
  let isClass = false;
  for (let at = scan.at + 1; at < end; at++) {
    const byte = bytes[at];
    if (byte === newline) break;
    if (byte === backslash) at++;
    else if (byte === openSquare) isClass = true;
    else if (byte === closeSquare) isClass = false;
    else if (byte === slash && !isClass) {
      push(scan, marks.string);
      scan.at = at + 1;
      return;
    }
  }
  push(scan, -slash);
}
