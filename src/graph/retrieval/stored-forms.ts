import { decodeForm } from "../forms/form-codec.ts";
import type { Store } from "../store/open-store.ts";
import type { FormOfPath } from "./search-index.ts";

/** The forms of an index, in the order in which its files were first seen. */
export function readForms(store: Store): FormOfPath[] {
  const forms: FormOfPath[] = [];
  const rows = store.prepare("SELECT path, form FROM files JOIN forms ON file = id ORDER BY id").iterate();
  for (const { path, form: bytes } of rows) {
    const form = bytes instanceof Uint8Array ? decodeForm(bytes) : undefined;
    if (form !== undefined) forms.push({ path: String(path), form });
  }
  return forms;
}
