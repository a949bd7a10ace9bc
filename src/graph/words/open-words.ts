/**
 * Answers questions from the words of an index: the files that contain a name, and the lines of each use. Caches the
 * words until the index changes.
 */
import { type Store, stateOf } from "../store/open-store.ts";
import { farthest, lengthBytes, partNames, type SegmentParts, wordKinds } from "./segment.ts";
import { filesOfSegment } from "./write-words.ts";

/** A use of a word in a file's code. */
export interface WordUse {
  readonly line: number;
  readonly isCall: boolean;
}

export interface Words {
  /** Numbers of files with unresolved references whose code contains the name. */
  filesWith(name: string): readonly number[];
  /** Uses of a name in a file's code, in their order. */
  usesIn(file: number, name: string): readonly WordUse[];
  /** Each word of a file: code first, then comments and strings; `kind` is one of `wordKinds`. */
  each(file: number, visit: (name: string, line: number, kind: number) => void): void;
  has(file: number): boolean;
  /** For each name, the number of files whose code contains it, including resolved ones. */
  countFiles(): ReadonlyMap<string, number>;
}

interface Segment {
  readonly names: Buffer;
  readonly nameStarts: Uint32Array;
  readonly postingStarts: Uint32Array;
  readonly postingFiles: Uint32Array;
  readonly fileStarts: Uint32Array;
  readonly words: Uint8Array;
  readonly texts: (string | undefined)[];
  /** Numbers of names looked up before. */
  readonly asked: Map<string, number>;
}

interface Kept {
  readonly state: string;
  readonly words: Words | undefined;
}

const kept = new WeakMap<Store, Kept>();

export function restsOnWords(store: Store): boolean {
  return store.prepare("SELECT 1 FROM words LIMIT 1").get() !== undefined;
}

/**
 * Opens the words of an index. Undefined if the index stores no words: Millwright deletes them once the references of
 * all files are resolved.
 */
export function openWords(store: Store): Words | undefined {
  const segments = String(
    store.prepare("SELECT group_concat(segment) AS all_of FROM words WHERE part = 0").get()?.all_of ?? "",
  );
  const known = kept.get(store);
  if (segments === "") {
    if (known !== undefined) kept.delete(store);
    return undefined;
  }
  const state = `${segments} ${stateOf(store)}`;
  if (known?.state === state) return known.words;
  const words = describeWords(
    readPlaces(store),
    new Map(segments.split(",").map((segment) => [Number(segment), readSegment(store, Number(segment))])),
  );
  kept.set(store, { state, words });
  return words;
}

/** The location of each file's words, by file number. */
function readPlaces(store: Store): ReadonlyMap<number, number> {
  const rows = store.prepare("SELECT id, words FROM files WHERE words IS NOT NULL AND resolved = 0").all();
  return new Map(rows.map(({ id, words }) => [Number(id), Number(words)]));
}

function readSegment(store: Store, segment: number): Segment | undefined {
  const rows = store.prepare("SELECT part, data FROM words WHERE segment = ? ORDER BY part").all(segment);
  const parts = Object.fromEntries(
    rows.map(({ part, data }) => [partNames[Number(part)] ?? "", data]),
  ) as Partial<SegmentParts>;
  const { names, nameStarts, postingStarts, postingFiles, fileStarts, words } = parts;
  if (!names || !nameStarts || !postingStarts || !postingFiles || !fileStarts || !words) return undefined;
  return {
    names: Buffer.from(names.buffer, names.byteOffset, names.byteLength),
    nameStarts: numbersOf(nameStarts),
    postingStarts: numbersOf(postingStarts),
    postingFiles: numbersOf(postingFiles),
    fileStarts: numbersOf(fileStarts),
    words,
    texts: [],
    asked: new Map(),
  };
}

/** The bytes as 32-bit numbers; a copy if the bytes are not aligned. */
function numbersOf(bytes: Uint8Array): Uint32Array {
  const own = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Uint32Array(own.buffer, own.byteOffset, own.byteLength >>> 2);
}

function describeWords(
  places: ReadonlyMap<number, number>,
  segments: ReadonlyMap<number, Segment | undefined>,
): Words {
  const files = new Map([...places].map(([file, place]) => [place, file]));
  const placeOf = (file: number): { segment: Segment; at: number } | undefined => {
    const place = places.get(file);
    const segment = place === undefined ? undefined : segments.get(Math.floor(place / filesOfSegment));
    return place === undefined || segment === undefined ? undefined : { segment, at: place % filesOfSegment };
  };
  return {
    has: (file) => placeOf(file) !== undefined,
    countFiles() {
      const counts = new Map<string, number>();
      for (const segment of segments.values()) {
        if (segment === undefined) continue;
        for (let id = 0; id + 1 < segment.postingStarts.length; id++) {
          const count = (segment.postingStarts[id + 1] ?? 0) - (segment.postingStarts[id] ?? 0);
          if (count === 0) continue;
          const name = textOf(segment, id);
          counts.set(name, (counts.get(name) ?? 0) + count);
        }
      }
      return counts;
    },
    filesWith(name) {
      const found: number[] = [];
      for (const [number, segment] of segments) {
        const id = segment === undefined ? -1 : numberOf(segment, name);
        if (segment === undefined || id < 0) continue;
        for (let at = segment.postingStarts[id] ?? 0; at < (segment.postingStarts[id + 1] ?? 0); at++) {
          const file = files.get(number * filesOfSegment + (segment.postingFiles[at] ?? 0));
          if (file !== undefined) found.push(file);
        }
      }
      return found;
    },
    usesIn(file, name) {
      const place = placeOf(file);
      const id = place === undefined ? -1 : numberOf(place.segment, name);
      const uses: WordUse[] = [];
      if (place !== undefined && id >= 0)
        visitWords(place.segment, place.at, (word, line, kind) => {
          if (word === id && kind < wordKinds.comment) uses.push({ line, isCall: kind === wordKinds.call });
        });
      return uses;
    },
    each(file, visit) {
      const place = placeOf(file);
      if (place === undefined) return;
      const { segment } = place;
      visitWords(segment, place.at, (word, line, kind) => visit(textOf(segment, word), line, kind));
    },
  };
}

/** The name's number in the segment, or -1. */
function numberOf(segment: Segment, name: string): number {
  const known = segment.asked.get(name);
  if (known !== undefined) return known;
  const number = lookFor(segment, name);
  segment.asked.set(name, number);
  return number;
}

/** Searches by length first, then by bytes. */
function lookFor({ names, nameStarts }: Segment, name: string): number {
  const wanted = Buffer.from(name);
  const { length } = wanted;
  for (let id = 0, start = 0; id + 1 < nameStarts.length; id++) {
    const end = nameStarts[id + 1] ?? 0;
    if (
      end - start === length &&
      names[start] === wanted[0] &&
      names.compare(wanted, 0, length, start, end) === 0
    )
      return id;
    start = end;
  }
  return -1;
}

function textOf(segment: Segment, id: number): string {
  const known = segment.texts[id];
  if (known !== undefined) return known;
  const text = segment.names.toString("utf8", segment.nameStarts[id] ?? 0, segment.nameStarts[id + 1] ?? 0);
  segment.texts[id] = text;
  return text;
}

/** Visits the words of a file. Ends at a truncated word. */
function visitWords(
  { words, fileStarts }: Segment,
  file: number,
  visit: (word: number, line: number, kind: number) => void,
): void {
  const end = Math.min(fileStarts[file + 1] ?? 0, words.length);
  const start = fileStarts[file] ?? 0;
  const code = start + lengthBytes;
  if (code > end) return;
  const length = new DataView(words.buffer, words.byteOffset).getUint32(start, true);
  visitList(words, code, Math.min(code + length, end), visit);
  visitList(words, code + length, end, visit);
}

function visitList(
  words: Uint8Array,
  start: number,
  end: number,
  visit: (word: number, line: number, kind: number) => void,
): void {
  let at = start;
  const readNumber = (): number => {
    let [value, shift] = [0, 0];
    for (;;) {
      const byte = words[at++] ?? 0;
      value |= (byte & 127) << shift;
      if (byte < 128 || at >= end) return value;
      shift += 7;
    }
  };
  for (let line = 0; at < end; ) {
    const word = readNumber();
    const packed = words[at++] ?? 0;
    line += packed >>> 2 === farthest ? readNumber() : packed >>> 2;
    visit(word, line, packed & 3);
  }
}
