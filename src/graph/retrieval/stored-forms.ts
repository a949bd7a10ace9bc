import { decodeForm } from "../forms/form-codec.ts";
import type { Store } from "../store/open-store.ts";
import { readWordForms } from "../words/word-forms.ts";
import type { FormOfPath } from "./search-index.ts";

/**
 * Reads the forms of an index, in the order in which Millwright first indexed the files. For files that the index knows
 * only by words, makes forms of these words.
 */
export function readForms(store: Store): FormOfPath[] {
  const forms: (FormOfPath & { readonly file: number })[] = [...readWordForms(store)];
  const byWords = forms.length > 0;
  const rows = store
    .prepare("SELECT id, path, form FROM files JOIN forms ON file = id ORDER BY id")
    .iterate();
  for (const { id, path, form: bytes } of rows) {
    const form = bytes instanceof Uint8Array ? decodeForm(bytes) : undefined;
    if (form !== undefined) forms.push({ file: Number(id), path: String(path), form });
  }
  return byWords ? forms.sort((a, b) => a.file - b.file) : forms;
}
