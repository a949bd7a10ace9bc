/**
 * The stored words of many files: a segment. It consists of a few long byte rows, which are cheap to read and write:
 * - the names
 * - for each name, the files whose code contains it
 * - for each file, its words in order
 *
 * A file's words are two lists, code and prose, preceded by the byte length of the code list. Each word is the name's
 * number and a byte. The byte's two lowest bits are the word's kind (`wordKinds`). The other bits are the distance in
 * lines from the previous word in the list. 63 means that the distance follows.
 */
import type { Names } from "../../syntax/lexical/names.ts";
import { codes, type Tokens } from "../../syntax/lexical/tokens.ts";

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
/** The smallest distance in lines to the previous word that does not fit into the byte with the word's kind. */
export const farthest = 63;

export interface SegmentBuilder {
  /** Adds the next file's words. `ignored` has a 1 for each name to leave out of the file's code. */
  add(tokens: Tokens, ignored: Uint8Array): void;
  readonly files: number;
  finish(): SegmentParts;
}

interface Growing {
  bytes: Uint8Array;
  length: number;
}

/** Pairs of a name and a file that contains it, each once. */
interface Pairs {
  name: Int32Array<ArrayBuffer>;
  file: Int32Array<ArrayBuffer>;
  count: number;
  /** For each name, the last file that contains it; files count from 1. */
  seenIn: Int32Array<ArrayBuffer>;
}

export function createSegment(names: Names): SegmentBuilder {
  const words: Growing = { bytes: new Uint8Array(1 << 20), length: 0 };
  const fileStarts: number[] = [0];
  const pairs: Pairs = {
    name: new Int32Array(1 << 16),
    file: new Int32Array(1 << 16),
    count: 0,
    seenIn: new Int32Array(1 << 17),
  };
  return {
    add(tokens, ignored) {
      if (names.count > pairs.seenIn.length) pairs.seenIn = larger(pairs.seenIn, names.count);
      writeCode(words, pairs, fileStarts.length - 1, tokens, ignored);
      writeProse(words, tokens);
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
        words: words.bytes.subarray(0, words.length),
      };
    },
  };
}

function larger(numbers: Int32Array<ArrayBuffer>, least: number): Int32Array<ArrayBuffer> {
  const doubled = new Int32Array(2 * least);
  doubled.set(numbers);
  return doubled;
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

function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest > 127) {
    bytes[next++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[next++] = rest;
  return next;
}

function writeWord(bytes: Uint8Array, at: number, name: number, kind: number, lines: number): number {
  const next = writeNumber(bytes, at, name);
  if (lines < farthest) {
    bytes[next] = (lines << 2) | kind;
    return next + 1;
  }
  bytes[next] = (farthest << 2) | kind;
  return writeNumber(bytes, next + 1, lines);
}

const { openRound: round, bang } = codes;
/** Maximum number of bytes of a word: two numbers of at most five bytes, and one byte with the kind. */
const longestWord = 11;
/** Number of bytes that hold the length of the code list. The length is known only once the list is written. */
export const lengthBytes = 4;

function writeCode(words: Growing, pairs: Pairs, file: number, tokens: Tokens, ignored: Uint8Array): void {
  makeRoom(words, lengthBytes + tokens.count * longestWord);
  makeRoomForPairs(pairs, tokens.count);
  const start = words.length + lengthBytes;
  words.length = writeUses(words.bytes, start, tokens, ignored, pairs, file);
  const length = words.length - start;
  for (let byte = 0; byte < lengthBytes; byte++)
    words.bytes[start - lengthBytes + byte] = length >>> (8 * byte);
}

/** Returns the end position, and records the file's names. */
function writeUses(
  bytes: Uint8Array,
  start: number,
  { what, line, count }: Tokens,
  ignored: Uint8Array,
  pairs: Pairs,
  file: number,
): number {
  const { seenIn } = pairs;
  let [at, before] = [start, 0];
  for (let index = 0; index < count; index++) {
    const name = what[index] ?? 0;
    if (name < 0 || (name < ignored.length && ignored[name] === 1)) continue;
    const next = index + 1 < count ? (what[index + 1] ?? 0) : 0;
    const isCall = next === round || (next === bang && index + 2 < count && what[index + 2] === round);
    const own = line[index] ?? 0;
    at = writeWord(bytes, at, name, isCall ? wordKinds.call : wordKinds.use, own - before);
    before = own;
    if (seenIn[name] === file + 1) continue;
    seenIn[name] = file + 1;
    pairs.name[pairs.count] = name;
    pairs.file[pairs.count++] = file;
  }
  return at;
}

function writeProse(words: Growing, { prose, proseLine, proseCount }: Tokens): void {
  makeRoom(words, proseCount * longestWord);
  const { bytes } = words;
  let at = words.length;
  let before = 0;
  for (let index = 0; index < proseCount; index++) {
    const packed = proseLine[index] ?? 0;
    const own = packed >>> 1;
    const kind = (packed & 1) === 1 ? wordKinds.string : wordKinds.comment;
    at = writeWord(bytes, at, prose[index] ?? 0, kind, own - before);
    before = own;
  }
  words.length = at;
}

function makeRoomForPairs(pairs: Pairs, more: number): void {
  if (pairs.count + more <= pairs.name.length) return;
  pairs.name = larger(pairs.name, pairs.count + more);
  pairs.file = larger(pairs.file, pairs.count + more);
}

/** A counting sort by name; files stay in order. */
function invert({ name, file, count }: Pairs, names: number): { starts: Uint32Array; files: Uint32Array } {
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
