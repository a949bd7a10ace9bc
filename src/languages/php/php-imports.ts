/**
 * Finds the files that a PHP file may load, by the text of its imports. Assumes that a class is in a file with the
 * class's name.
 */
import { posix } from "node:path";

const used = /^[ \t]*use\s+(?:function\s+|const\s+)?\\?([\w\\]+)/gm;
const required = /\b(?:require|include)(?:_once)?\b[^;'"]*['"]([^'"\n]+)['"]/g;

export function phpStems(path: string, text: string): string[] {
  const classes = [...text.matchAll(used)].flatMap(([, name = ""]) => {
    const parts = name.split("\\");
    // The first parts of a namespace are often no folders.
    return parts.map((_, at) => parts.slice(at).join("/"));
  });
  const files = [...text.matchAll(required)].map(([, name = ""]) =>
    posix.join(posix.dirname(path), name.replace(/\.php$/, "")),
  );
  return [...classes, ...files];
}
