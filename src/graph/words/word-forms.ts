/** The search data of files that are known only by words. */
import type { Definition } from "../../domain/code-symbols.ts";
import { buildFormOfWords, type FileForm } from "../forms/file-form.ts";
import type { TokenField } from "../forms/scan-text.ts";
import type { Store } from "../store/open-store.ts";
import { definitionKindOf, entityFlags } from "../store/schema.ts";
import { openWords } from "./open-words.ts";
import { wordKinds } from "./segment.ts";

const fields: Readonly<Record<number, TokenField>> = {
  [wordKinds.use]: "code",
  [wordKinds.call]: "code",
  [wordKinds.comment]: "comment",
  [wordKinds.string]: "string",
};

export interface WordForm {
  readonly file: number;
  readonly path: string;
  readonly form: FileForm;
}

/** Returns the forms of all files that the index has scanned for words but not yet parsed, ordered by file id. */
export function readWordForms(store: Store): readonly WordForm[] {
  const words = openWords(store);
  if (words === undefined) return [];
  const files = store
    .prepare("SELECT id, path, lines FROM files WHERE facts IS NULL AND words IS NOT NULL ORDER BY id")
    .all();
  return files.map((row) => {
    const file = Number(row.id);
    const form = buildFormOfWords(Number(row.lines), readDefinitions(store, file), (visit) => {
      words.each(file, (name, line, kind) => visit(name, line, fields[kind] ?? "code"));
    });
    return { file, path: String(row.path), form };
  });
}

/** Reads the definitions of a file, with only the fields that a form needs. */
function readDefinitions(store: Store, file: number): readonly Definition[] {
  const rows = store
    .prepare(
      "SELECT id, parent, kind, name, start_line, end_line, line, column, signature, flags FROM entities WHERE file = ? ORDER BY id",
    )
    .all(file);
  const places = new Map(rows.map(({ id }, index) => [Number(id), index]));
  return rows.map((row) => ({
    kind: definitionKindOf(row.kind),
    name: String(row.name),
    container: places.get(Number(row.parent)) ?? -1,
    startLine: Number(row.start_line),
    endLine: Number(row.end_line),
    at: { line: Number(row.line), column: Number(row.column) },
    signature: String(row.signature),
    isTest: (Number(row.flags) & entityFlags.test) !== 0,
    isPublic: (Number(row.flags) & entityFlags.public) !== 0,
  }));
}
