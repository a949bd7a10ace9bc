/**
 * What is kept of the words of many files: a segment. Its parts are a few long rows of bytes, for reading and writing them costs
 * nothing: the names, for each name the files whose code has it, and for each file its words in their order.
 *
 * A file's words are two lists, code and prose: their length, then for each word the name's number and a byte, the two lowest
 * bits of which say what it is (`wordKinds`) and the others how many lines after the word before; 63 lines and more follow it.
 */
import type { Names } from "../../syntax/lexical/names.ts";
import { mark, type Tokens } from "../../syntax/lexical/tokens.ts";

export const wordKinds = { use: 0, call: 1, comment: 2, string: 3 } as const;
export const partNames = [
  "names",
  "nameStarts",
  "postingStarts",
  "postingFiles",
  "fileStarts",
  "words",
] as const;
export type SegmentParts = Readonly<Record<(typeof partNames)[number], Uint8Array>>;
/** Of a thread that failed: its place is taken, and nothing stands in it. */
export const emptySegment: SegmentParts = {
  names: new Uint8Array(0),
  nameStarts: new Uint8Array(0),
  postingStarts: new Uint8Array(0),
  postingFiles: new Uint8Array(0),
  fileStarts: new Uint8Array(0),
  words: new Uint8Array(0),
};
/** Lines; see above. */
export const farthest = 63;

export interface SegmentBuilder {
  /** The next file's words; `ignored` has a 1 for names that are left out of its code. */
  add(tokens: Tokens, ignored: Uint8Array): void;
  readonly files: number;
  finish(): SegmentParts;
}

interface Growing {
  bytes: Uint8Array;
  length: number;
}

export function createSegment(names: Names): SegmentBuilder {
  const words: Growing = { bytes: new Uint8Array(1 << 20), length: 0 };
  const fileStarts: number[] = [0];
  const pairs: { name: Int32Array; file: Int32Array; count: number } = {
    name: new Int32Array(1 << 16),
    file: new Int32Array(1 << 16),
    count: 0,
  };
  let seenIn = new Int32Array(1 << 17).fill(-1);
  return {
    add(tokens, ignored) {
      const file = fileStarts.length - 1;
      if (names.count > seenIn.length) seenIn = grown(seenIn, names.count);
      makeRoom(words, 12 * (tokens.count + tokens.proseCount) + 16);
      writeCode(words, tokens, ignored);
      writeProse(words, tokens);
      notePairs(tokens, ignored, file, seenIn, pairs);
      fileStarts.push(words.length);
    },
    get files() {
      return fileStarts.length - 1;
    },
    finish: () => {
      const { starts, files } = invert(pairs, names.count);
      const packed = names.packed();
      return {
        names: packed.bytes,
        nameStarts: bytesOf(packed.starts),
        postingStarts: bytesOf(starts),
        postingFiles: bytesOf(files),
        fileStarts: bytesOf(Uint32Array.from(fileStarts)),
        words: words.bytes.slice(0, words.length),
      };
    },
  };
}

function grown(old: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * least).fill(-1);
  larger.set(old);
  return larger;
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function makeRoom(words: Growing, more: number): void {
  if (words.length + more <= words.bytes.length) return;
  const larger = new Uint8Array(2 * (words.length + more));
  larger.set(words.bytes);
  words.bytes = larger;
}

function writeNumber({ bytes }: Growing, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest > 127) {
    bytes[next++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

function writeWord(words: Growing, at: number, name: number, kind: number, lines: number): number {
  let next = writeNumber(words, at, name);
  if (lines < farthest) words.bytes[next++] = (lines << 2) | kind;
  else {
    words.bytes[next++] = (farthest << 2) | kind;
    next = writeNumber(words, next, lines);
  }
  return next;
}

function isKept(ignored: Uint8Array, name: number): boolean {
  return name >= ignored.length || ignored[name] !== 1;
}

const [round, bang] = [mark("("), mark("!")];

function writeCode(words: Growing, { what, line, count }: Tokens, ignored: Uint8Array): void {
  let kept = 0;
  for (let index = 0; index < count; index++) {
    const name = what[index] ?? 0;
    if (name >= 0 && isKept(ignored, name)) kept++;
  }
  let at = writeNumber(words, words.length, kept);
  let before = 0;
  for (let index = 0; index < count; index++) {
    const name = what[index] ?? 0;
    if (name < 0 || !isKept(ignored, name)) continue;
    const next = index + 1 < count ? (what[index + 1] ?? 0) : 0;
    const isCall = next === round || (next === bang && index + 2 < count && what[index + 2] === round);
    const own = line[index] ?? 0;
    at = writeWord(words, at, name, isCall ? wordKinds.call : wordKinds.use, own - before);
    before = own;
  }
  words.length = at;
}

function writeProse(words: Growing, { prose, proseLine, proseCount }: Tokens): void {
  let at = writeNumber(words, words.length, proseCount);
  let before = 0;
  for (let index = 0; index < proseCount; index++) {
    const packed = proseLine[index] ?? 0;
    const own = packed >>> 1;
    at = writeWord(
      words,
      at,
      prose[index] ?? 0,
      (packed & 1) === 1 ? wordKinds.string : wordKinds.comment,
      own - before,
    );
    before = own;
  }
  words.length = at;
}

function notePairs(
  { what, count }: Tokens,
  ignored: Uint8Array,
  file: number,
  seenIn: Int32Array,
  pairs: { name: Int32Array; file: Int32Array; count: number },
): void {
  for (let index = 0; index < count; index++) {
    const name = what[index] ?? 0;
    if (name < 0 || seenIn[name] === file || !isKept(ignored, name)) continue;
    seenIn[name] = file;
    if (pairs.count === pairs.name.length) {
      const [nameLarger, fileLarger] = [new Int32Array(2 * pairs.count), new Int32Array(2 * pairs.count)];
      nameLarger.set(pairs.name);
      fileLarger.set(pairs.file);
      pairs.name = nameLarger;
      pairs.file = fileLarger;
    }
    pairs.name[pairs.count] = name;
    pairs.file[pairs.count++] = file;
  }
}

/** A counting sort by name; files stay in their order. */
function invert(
  { name, file, count }: { name: Int32Array; file: Int32Array; count: number },
  names: number,
): { starts: Uint32Array; files: Uint32Array } {
  const starts = new Uint32Array(names + 1);
  for (let index = 0; index < count; index++)
    starts[(name[index] ?? 0) + 1] = (starts[(name[index] ?? 0) + 1] ?? 0) + 1;
  for (let index = 0; index < names; index++)
    starts[index + 1] = (starts[index + 1] ?? 0) + (starts[index] ?? 0);
  const next = starts.slice();
  const files = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const at = next[name[index] ?? 0] ?? 0;
    files[at] = file[index] ?? 0;
    next[name[index] ?? 0] = at + 1;
  }
  return { starts, files };
}
