/**
 * The forms of an indexed repository, beside the tables of its graph. A form is built from the file on disk and the definitions
 * that the graph has of it, once for each state of the file.
 */
import { readSource } from "../build/read-source.ts";
import { decodeFacts } from "../store/facts.ts";
import { inTransaction, type Store } from "../store/open-store.ts";
import { takeWriterLock } from "../store/writer-lock.ts";
import { buildFileForm, type FileForm } from "./file-form.ts";
import { fileKindOf } from "./file-kind.ts";
import { decodeForm, encodeForm, formVersion } from "./form-codec.ts";
import type { FormOfPath } from "./search-index.ts";

export interface FormSource {
  readonly store: Store;
  readonly repository: string;
  /** Of the index. */
  readonly directory: string;
  /** Milliseconds for building what is missing; what is left over is built the next time. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

export interface StoredForms {
  readonly forms: readonly FormOfPath[];
  /** Files that have no form yet. */
  readonly missing: number;
}

interface FileRow {
  readonly id: number;
  readonly path: string;
  readonly stamp: string;
  readonly facts: number | null;
  readonly form: Uint8Array | null;
}

const table = `CREATE TABLE IF NOT EXISTS retrieval_forms (
  file INTEGER PRIMARY KEY, stamp TEXT NOT NULL, version INTEGER NOT NULL, form BLOB NOT NULL)`;
const known = `
SELECT files.id, files.path, files.stamp, files.facts, form
FROM files LEFT JOIN retrieval_forms ON file = files.id AND retrieval_forms.stamp = files.stamp AND version = ?
WHERE skipped IS NULL`;
const unknown = "SELECT id, path, stamp, facts, NULL AS form FROM files WHERE skipped IS NULL";
const batchSize = 200;

/** Where another process writes the index, new forms are used but not kept. */
export function readForms(source: FormSource): StoredForms {
  const { store } = source;
  const lock = takeWriterLock(source.directory);
  try {
    const hasTable =
      store.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'retrieval_forms'").get() !== undefined;
    if (!hasTable && lock !== undefined) store.database.exec(table);
    const rows =
      hasTable || lock !== undefined
        ? store.prepare(known).iterate(formVersion)
        : store.prepare(unknown).iterate();
    const forms: FormOfPath[] = [];
    const missing: FileRow[] = [];
    for (const row of rows as Iterable<unknown> as Iterable<FileRow>) {
      if (fileKindOf(row.path) === "generated") continue;
      const form = row.stamp === "" || row.form === null ? undefined : decodeForm(row.form);
      if (form === undefined) missing.push(row);
      else forms.push({ path: row.path, form });
    }
    const left = buildMissing(source, missing, forms, lock !== undefined);
    return { forms, missing: left };
  } finally {
    lock?.release();
  }
}

/** How many are left when the limit ends it. */
function buildMissing(
  source: FormSource,
  rows: readonly FileRow[],
  forms: FormOfPath[],
  keep: boolean,
): number {
  const deadline = performance.now() + (source.limitMs ?? Number.POSITIVE_INFINITY);
  for (let at = 0; at < rows.length; at += batchSize) {
    if (performance.now() > deadline || source.signal?.aborted === true) return rows.length - at;
    const built: (readonly [FileRow, FileForm])[] = [];
    for (const row of rows.slice(at, at + batchSize)) {
      const form = buildForm(source, row);
      if (form === undefined) continue;
      built.push([row, form]);
      forms.push({ path: row.path, form });
    }
    if (keep) keepForms(source.store, built);
  }
  if (keep && rows.length > 0)
    source.store.prepare("DELETE FROM retrieval_forms WHERE file NOT IN (SELECT id FROM files)").run();
  return 0;
}

function buildForm({ store, repository }: FormSource, { path, facts }: FileRow): FileForm | undefined {
  const text = readSource(`${repository}/${path}`, path);
  if (text?.kind !== "text") return undefined;
  const data =
    facts === null ? undefined : store.prepare("SELECT data FROM facts WHERE id = ?").get(facts)?.data;
  const definitions = typeof data === "string" ? decodeFacts(data).definitions : [];
  return buildFileForm(path, text.text, definitions);
}

function keepForms(store: Store, built: readonly (readonly [FileRow, FileForm])[]): void {
  const insert = store.prepare("INSERT OR REPLACE INTO retrieval_forms VALUES (?, ?, ?, ?)");
  inTransaction(store, () => {
    for (const [{ id, stamp }, form] of built) insert.run(id, stamp, formVersion, encodeForm(form));
  });
}
