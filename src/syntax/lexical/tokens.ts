/** The scanner's output: names and marks of the code, and words of comments and strings. */

/**
 * The tokens of one text, as one array for each property, because a file has tens of thousands of tokens. The scanner
 * refills the arrays for each text.
 */
export interface Tokens {
  /** A name's number, one of `marks`, or the negated character code of a punctuation mark. */
  what: Int32Array;
  /** The byte offset of each token. */
  start: Uint32Array;
  /** The line of each token, from 1. */
  line: Uint32Array;
  count: number;
  /** Words outside code: the name's number. `proseLine` is twice the line, plus 1 in a string. */
  prose: Int32Array;
  proseLine: Uint32Array;
  proseCount: number;
  /** Byte offset at which each line starts, the first entry for line 1. */
  lineStarts: Uint32Array;
  lines: number;
}

/** Codes for number and string tokens, below the codes of all punctuation marks. */
export const marks = { number: -200, string: -201 } as const;

/** Returns the scanner's code for a punctuation mark. */
export function mark(character: string): number {
  return -character.charCodeAt(0);
}

/** Codes of the punctuation marks that the readers check for. */
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

/** Empties the tokens, and makes room for a text of `bytes` bytes. In the worst case, each byte is a token. */
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
