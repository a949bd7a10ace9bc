/** What the scanner makes of a text: the names and marks of its code, and the words of its comments and strings. */

/** In columns, for a file has tens of thousands; filled anew for each text. */
export interface Tokens {
  /** A name's number, or one of `marks`, or minus the character of a mark of punctuation. */
  what: Int32Array;
  /** Byte offset. */
  start: Uint32Array;
  /** From 1. */
  line: Uint32Array;
  count: number;
  /** Words that are no code: the name's number; `proseLine` is the line, doubled, plus 1 in a string. */
  prose: Int32Array;
  proseLine: Uint32Array;
  proseCount: number;
  /** Byte offset at which each line starts; the first is line 1. */
  lineStarts: Uint32Array;
  lines: number;
}

/** Below every mark of punctuation. */
export const marks = { number: -200, string: -201 } as const;

/** The character of a mark as the scanner writes it. */
export function mark(character: string): number {
  return -character.charCodeAt(0);
}

/** Those that readers ask for. */
export const codes = {
  openBrace: mark("{"),
  closeBrace: mark("}"),
  openRound: mark("("),
  closeRound: mark(")"),
  openSquare: mark("["),
  closeSquare: mark("]"),
  semicolon: mark(";"),
  comma: mark(","),
  equals: mark("="),
  colon: mark(":"),
  less: mark("<"),
  more: mark(">"),
  at: mark("@"),
  hash: mark("#"),
  dot: mark("."),
  question: mark("?"),
  bang: mark("!"),
  star: mark("*"),
  dash: mark("-"),
  tilde: mark("~"),
  backslash: mark("\\"),
} as const;

export function createTokens(): Tokens {
  return {
    what: new Int32Array(0),
    start: new Uint32Array(0),
    line: new Uint32Array(0),
    count: 0,
    prose: new Int32Array(0),
    proseLine: new Uint32Array(0),
    proseCount: 0,
    lineStarts: new Uint32Array(0),
    lines: 0,
  };
}

/** Room for the worst text of so many bytes: each byte a mark. */
export function clearTokens(tokens: Tokens, bytes: number): void {
  tokens.count = 0;
  tokens.proseCount = 0;
  tokens.lines = 0;
  if (tokens.what.length >= bytes + 2) return;
  const room = Math.max(bytes + 2, 1 << 17);
  tokens.what = new Int32Array(room);
  tokens.start = new Uint32Array(room);
  tokens.line = new Uint32Array(room);
  tokens.prose = new Int32Array(room);
  tokens.proseLine = new Uint32Array(room);
  tokens.lineStarts = new Uint32Array(room);
}
