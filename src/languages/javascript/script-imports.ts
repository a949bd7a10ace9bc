/** Finds the files that a script may load, by the text of its imports. */
import { posix } from "node:path";

const specifier = /(?:\bfrom|\brequire\s*\(?|\bimport\s*\(|\bimport)\s*["']([^"'\n]+)["']/g;

export function scriptStems(path: string, text: string): string[] {
  return [...text.matchAll(specifier)].flatMap(([, name = ""]) =>
    name.startsWith(".") ? [stemOf(posix.join(posix.dirname(path), name))] : [],
  );
}

function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|json)$/, "");
}
