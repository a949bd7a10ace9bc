/** Finds the edit that turns a text of the program into a text that a test expects. Pure. */

export interface TextDifference {
  /** Offsets into the program's text. */
  readonly start: number;
  readonly end: number;
  readonly inserted: string;
  /** The share of the program's text that stays: 0..1. */
  readonly common: number;
}

/** Minimum common characters and share of them; minimum length of a piece that stays as a whole. */
const least = { common: 4, share: 0.6, whole: 6 };
/** Maximum lengths of a changed part, of an addition, and of a dropped beginning. */
const most = { changed: 24, added: 16, dropped: 4 };

/**
 * Returns the differences of a piece of text from a part of another text. Each changes one place of the piece, and
 * keeps most of the piece. If the other text has the whole piece, the difference is the text before or after the piece.
 */
export function differencesOf(piece: string, text: string): TextDifference[] {
  const at = text.indexOf(piece);
  if (at >= 0) return piece.length < least.whole ? [] : additionsOf(piece, text, at);
  const found = [fromTheStart(piece, text), ...fromTheEnd(piece, text)].filter((each) => each !== undefined);
  return found.filter(
    (each, index) =>
      each.common >= least.share &&
      each.common * piece.length >= least.common &&
      Math.max(each.end - each.start, each.inserted.length) <= most.changed &&
      found.findIndex((other) => isSame(each, other)) === index,
  );
}

function isSame(a: TextDifference, b: TextDifference): boolean {
  return a.start === b.start && a.end === b.end && a.inserted === b.inserted;
}

function additionsOf(piece: string, text: string, at: number): TextDifference[] {
  const [before, after] = [text.slice(0, at), text.slice(at + piece.length)];
  return [
    { start: piece.length, end: piece.length, inserted: after, common: 1 },
    { start: 0, end: 0, inserted: before, common: 1 },
  ].filter(({ inserted }) => inserted !== "" && inserted.length <= most.added);
}

/** Matches the longest beginning of the piece first, then the longest end in the rest of the text. */
function fromTheStart(piece: string, text: string): TextDifference | undefined {
  const head = longestCommon(piece.length, (length) => text.indexOf(piece.slice(0, length)));
  if (head.length === 0) return undefined;
  const from = head.at + head.length;
  const tail = longestCommon(piece.length - head.length, (length) =>
    text.indexOf(piece.slice(piece.length - length), from),
  );
  const [start, end] = [head.length, piece.length - tail.length];
  const until = tail.length === 0 ? text.length : tail.at;
  return { start, end, inserted: text.slice(from, until), common: shareOf(piece, start, end) };
}

/**
 * Matches the longest end of the piece first, then the longest beginning in the text before it. Also drops what stands
 * before the longest end.
 */
function fromTheEnd(piece: string, text: string): TextDifference[] {
  const tail = longestCommon(piece.length, (length) => text.lastIndexOf(piece.slice(piece.length - length)));
  if (tail.length === 0) return [];
  const end = piece.length - tail.length;
  const before = text.slice(0, tail.at);
  const head = longestCommon(end, (length) => before.lastIndexOf(piece.slice(0, length)));
  const start = head.length;
  const inserted = before.slice(start === 0 ? 0 : head.at + start);
  return [
    { start, end, inserted, common: shareOf(piece, start, end) },
    ...(end <= most.dropped ? [{ start: 0, end, inserted: "", common: shareOf(piece, 0, end) }] : []),
  ];
}

function shareOf(piece: string, start: number, end: number): number {
  return (piece.length - (end - start)) / piece.length;
}

interface Common {
  readonly length: number;
  readonly at: number;
}

/** The greatest length up to `limit` for which `find` returns a position. A longer match implies the shorter ones. */
function longestCommon(limit: number, find: (length: number) => number): Common {
  let [low, high] = [0, limit];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (find(middle) >= 0) low = middle;
    else high = middle - 1;
  }
  return { length: low, at: low === 0 ? 0 : find(low) };
}
