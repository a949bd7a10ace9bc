/** From files read by their words to rows: definitions as they always stand in the index, and the segments. Inside a transaction. */
import { flagsOf } from "../build/read-source.ts";
import { addFileEntity, folderOf, writeFileRow } from "../store/file-rows.ts";
import { numberOfFolder } from "../store/folder-rows.ts";
import type { Store } from "../store/open-store.ts";
import { flagsInFile } from "../store/schema.ts";
import { type DefinitionColumns, numbersOfOne, splitTexts, textsOfOne } from "./definition-columns.ts";
import { partNames, type SegmentParts } from "./segment.ts";
import type { WordBatch } from "./words-threads.ts";

/** `files.words` is the segment times this, plus the file's number in it. */
export const filesOfSegment = 1 << 20;

const columns = "(?,?,?,NULL,?,?,?,?,?,?,?,?,?,NULL,NULL,?,NULL,?)";
/** Each run of a statement costs as much as several of its rows. */
const rowsAtOnce = 32;
const insertOf = (rows: number): string => `INSERT INTO entities VALUES ${Array(rows).fill(columns).join()}`;
const insertMany = insertOf(rowsAtOnce);
const insertOne = insertOf(1);

type Value = string | number;

/** The numbers of the batch's definitions follow those of all its files. */
export function writeWordFiles(store: Store, segment: number, { files, columns }: WordBatch): void {
  const folders = new Map<string, number>();
  const rows = files.map((file) => {
    const folder = folderOf(file.path);
    const parent = folders.get(folder) ?? numberOfFolder(store, folder);
    folders.set(folder, parent);
    const flags = flagsOf(file.path, file.isGenerated);
    const id = addFileEntity(store, { ...file, flags }, parent);
    const words = segment * filesOfSegment + file.number;
    writeFileRow(store, id, { ...file, ...unread, flags, words });
    return { id, flags, definitions: file.definitions };
  });
  writeDefinitions(store, rows, columns);
}

/** Without a stamp it is read again: by its syntax. */
const unread = {
  stamp: "",
  skipped: undefined,
  facts: undefined,
  factsRow: undefined,
  form: undefined,
  manifest: undefined,
};

interface FileOfBatch {
  readonly id: number;
  readonly flags: number;
  readonly definitions: number;
}

function writeDefinitions(store: Store, files: readonly FileOfBatch[], columns: DefinitionColumns): void {
  const texts = splitTexts(columns);
  const total = columns.numbers.length / numbersOfOne;
  const whole = total - (total % rowsAtOnce);
  let first = (files.at(-1)?.id ?? 0) + 1;
  let values: Value[] = [];
  let row = 0;
  for (const { id, flags, definitions } of files) {
    for (let ordinal = 0; ordinal < definitions; ordinal++, row++) {
      pushRow(values, { file: id, first, ordinal, flags, row }, columns.numbers, texts);
      if (row < whole && (row + 1) % rowsAtOnce !== 0) continue;
      store.prepare(row < whole ? insertMany : insertOne).run(...values);
      values = [];
    }
    first += definitions;
  }
}

interface Place {
  readonly file: number;
  /** The number of the file's first definition. */
  readonly first: number;
  readonly ordinal: number;
  /** Of the file. */
  readonly flags: number;
  /** In the columns. */
  readonly row: number;
}

function pushRow(
  values: Value[],
  { file, first, ordinal, flags, row }: Place,
  numbers: Int32Array,
  texts: readonly string[],
): void {
  const [at, text] = [row * numbersOfOne, row * textsOfOne];
  const container = numbers[at] ?? -1;
  values.push(first + ordinal, file, container < 0 ? file : first + container, numbers[at + 1] ?? 0);
  values.push(texts[text] ?? "", texts[text + 1] ?? "", texts[text + 2] ?? "");
  values.push(numbers[at + 2] ?? 0, numbers[at + 3] ?? 0, numbers[at + 4] ?? 0, numbers[at + 5] ?? 0);
  values.push(texts[text + 3] ?? "", (numbers[at + 6] ?? 0) | flagsInFile(flags), ordinal);
}

export function writeSegment(store: Store, segment: number, parts: SegmentParts): void {
  const insert = store.prepare("INSERT INTO words VALUES (?,?,?)");
  for (const [number, name] of partNames.entries()) insert.run(segment, number, parts[name]);
}

/** Nothing rests on words any more. */
export function dropWords(store: Store): void {
  if (store.prepare("SELECT 1 FROM words").get() === undefined) return;
  store.database.exec("DELETE FROM words; UPDATE files SET words = NULL WHERE words IS NOT NULL");
}
