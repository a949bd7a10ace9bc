/** From files read by their words to rows: definitions as they always stand in the index, and the segments. Inside a transaction. */
import type { Definition } from "../../domain/code-symbols.ts";
import { flagsOf } from "../build/read-source.ts";
import { addFileEntity, flagsOfDefinition, kindNumbers, writeFileRow } from "../store/file-rows.ts";
import type { Store } from "../store/open-store.ts";
import { partNames, type SegmentParts } from "./segment.ts";
import type { WordFile } from "./words-threads.ts";

/** `files.words` is the segment times this, plus the file's number in it. */
export const filesOfSegment = 1 << 20;

const columns = "(?,?,?,NULL,?,?,?,?,?,?,?,?,?,NULL,NULL,?,NULL,?)";
/** Each run of a statement costs as much as several of its rows. */
const rowsAtOnce = 32;
const insertOf = (rows: number): string => `INSERT INTO entities VALUES ${Array(rows).fill(columns).join()}`;
const insertMany = insertOf(rowsAtOnce);
const insertOne = insertOf(1);

type Value = string | number;

export function writeWordFiles(store: Store, segment: number, files: readonly WordFile[]): void {
  for (const file of files) {
    const flags = flagsOf(file.path, file.isGenerated);
    const id = addFileEntity(store, { ...file, flags });
    const words = segment * filesOfSegment + file.number;
    // Without a stamp it is read again: by its syntax.
    const rest = {
      stamp: "",
      skipped: undefined,
      facts: undefined,
      factsRow: undefined,
      form: undefined,
      manifest: undefined,
    };
    writeFileRow(store, id, { ...file, ...rest, flags, words });
    writeDefinitions(store, id, file, flags);
  }
}

function writeDefinitions(
  store: Store,
  file: number,
  { definitions, identities }: WordFile,
  flags: number,
): void {
  const whole = definitions.length - (definitions.length % rowsAtOnce);
  let values: Value[] = [];
  for (const [ordinal, one] of definitions.entries()) {
    const { qualified = one.name, disambiguator = "" } = identities[ordinal] ?? {};
    pushRow(values, { file, ordinal, one, qualified, disambiguator, flags: flagsOfDefinition(one, flags) });
    if (ordinal < whole ? (ordinal + 1) % rowsAtOnce !== 0 : false) continue;
    store.prepare(ordinal < whole ? insertMany : insertOne).run(...values);
    values = [];
  }
}

interface Row {
  readonly file: number;
  readonly ordinal: number;
  readonly one: Definition;
  readonly qualified: string;
  readonly disambiguator: string;
  readonly flags: number;
}

/** A file's definitions have the numbers after its own. */
function pushRow(values: Value[], { file, ordinal, one, qualified, disambiguator, flags }: Row): void {
  const parent = one.container < 0 ? file : file + 1 + one.container;
  values.push(
    file + 1 + ordinal,
    file,
    parent,
    kindNumbers.get(one.kind) ?? 0,
    one.name,
    qualified,
    disambiguator,
  );
  values.push(one.startLine, one.endLine, one.at.line, one.at.column, one.signature, flags, ordinal);
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
