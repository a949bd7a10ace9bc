/** Finds the files that a Ruby file may load, by the text of its `require` calls. */
import { posix } from "node:path";

const required = /\b(require|require_relative|load|autoload)\b[ (]*(?::\w+,\s*)?["']([^"'\n]+)["']/g;

export function rubyStems(path: string, text: string): string[] {
  return [...text.matchAll(required)].map(([, word = "", name = ""]) => {
    const stem = name.replace(/\.rb$/, "");
    return word === "require_relative" ? posix.join(posix.dirname(path), stem) : stem;
  });
}
