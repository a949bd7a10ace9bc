/** Which files a PHP file may load, as far as the text of its imports tells: a class stands in a file of its name. */
import { posix } from "node:path";

const used = /^\s*use\s+(?:function\s+|const\s+)?\\?([\w\\]+)/gm;
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
