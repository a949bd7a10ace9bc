/**
 * Writes files read by words as rows: definitions in their usual form, and the segments. Call it inside a transaction.
 */
import { folderOf } from "../../base/folder-of.ts";
import { flagsOf } from "../build/read-source.ts";
import { addFileEntity, writeFileRow } from "../store/file-rows.ts";
import { numberOfFolder } from "../store/folder-rows.ts";
import { identifyDefinitions } from "../store/identify.ts";
import type { Store } from "../store/open-store.ts";
import { flagsInFile, stampOfWords } from "../store/schema.ts";
import { type ColumnDefinition, openColumns } from "./definition-columns.ts";
import { partNames, type SegmentParts } from "./segment.ts";
import type { WordBatch } from "./words-threads.ts";

/**
 * Maximum number of files in a segment. `files.words` is the segment's number times this maximum, plus the file's
 * number in the segment.
 */
export const filesOfSegment = 1 << 20;

const columnsOfRow = "(?,?,?,NULL,?,?,?,?,?,?,?,?,?,NULL,NULL,?,NULL,?)";
/** Rows per statement: each execution of a statement costs as much as several rows. */
const rowsAtOnce = 32;
const insertOf = (rows: number): string =>
  `INSERT INTO entities VALUES ${Array(rows).fill(columnsOfRow).join()}`;
const insertMany = insertOf(rowsAtOnce);
const valuesOfRow = columnsOfRow.split("?").length - 1;

type Value = string | number;

/** Writes the words of files. Numbers all files of the batch first, then their definitions. */
export function writeWordFiles(
  store: Store,
  segment: number,
  { files, columns }: WordBatch,
  stampOf: (path: string) => string,
): void {
  const folders = new Map<string, number>();
  const numbers = files.map((file) => {
    const folder = folderOf(file.path);
    const parent = folders.get(folder) ?? numberOfFolder(store, folder);
    folders.set(folder, parent);
    const flags = flagsOf(file.path, file.isGenerated);
    const id = addFileEntity(store, { ...file, flags }, parent);
    const words = segment * filesOfSegment + file.number;
    writeFileRow(store, id, { ...file, ...unread, stamp: stampOfWords(stampOf(file.path)), flags, words });
    return { id, flags };
  });
  const read = openColumns(columns);
  const rows = openRows(store);
  let first = (numbers.at(-1)?.id ?? 0) + 1;
  for (const [index, { language, definitions }] of files.entries()) {
    const { id = 0, flags = 0 } = numbers[index] ?? {};
    writeDefinitions(rows, { id, flags, language, first }, read(definitions));
    first += definitions;
  }
  rows.end();
}

/** Placeholders for values that only the syntax gives. */
const unread = {
  skipped: undefined,
  facts: undefined,
  factsRow: undefined,
  form: undefined,
  manifest: undefined,
};

interface FileOfBatch {
  readonly id: number;
  readonly flags: number;
  readonly language: string;
  /** The number of its first definition. */
  readonly first: number;
}

function writeDefinitions(
  rows: Rows,
  { id, flags, language, first }: FileOfBatch,
  definitions: readonly ColumnDefinition[],
): void {
  const identities = identifyDefinitions(language, definitions);
  for (const [ordinal, one] of definitions.entries()) {
    const { qualified = one.name, disambiguator = "" } = identities[ordinal] ?? {};
    const values = rows.next();
    values.push(first + ordinal, id, one.container < 0 ? id : first + one.container, one.kindNumber);
    values.push(one.name, qualified, disambiguator, one.startLine, one.endLine, one.line, one.column);
    values.push(one.signature, one.flags | flagsInFile(flags), ordinal);
  }
}

interface Rows {
  /** Returns the array for the next row's values, and writes a full batch. */
  next(): Value[];
  end(): void;
}

function openRows(store: Store): Rows {
  let values: Value[] = [];
  return {
    next() {
      if (values.length === rowsAtOnce * valuesOfRow) {
        store.prepare(insertMany).run(...values);
        values = [];
      }
      return values;
    },
    end() {
      const rows = values.length / valuesOfRow;
      if (rows > 0) store.prepare(insertOf(rows)).run(...values);
    },
  };
}

export function writeSegment(store: Store, segment: number, parts: SegmentParts): void {
  const insert = store.prepare("INSERT INTO words VALUES (?,?,?)");
  for (const [number, name] of partNames.entries()) insert.run(segment, number, parts[name]);
}

/** Deletes all stored words. Call it when the references of all files are resolved. */
export function dropWords(store: Store): void {
  if (store.prepare("SELECT 1 FROM words").get() === undefined) return;
  store.database.exec("DELETE FROM words; UPDATE files SET words = NULL WHERE words IS NOT NULL");
}
