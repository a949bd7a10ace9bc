/**
 * Converts git's paths, which are bytes. Inside this folder a path is a `BytePath`: a string with one character per
 * byte. Names that are not UTF-8 therefore survive, and the order of strings is git's order. Outside this folder, a
 * path is UTF-8. If its bytes are not UTF-8, it has git's quoted form: a C string.
 */
import { isUtf8 } from "node:buffer";

export type BytePath = string;

const ascii = /^[\0-\x7f]*$/;
const escapes: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  t: "\t",
  n: "\n",
  v: "\v",
  f: "\f",
  r: "\r",
  '"': '"',
  "\\": "\\",
};
const escapeOf = new Map(Object.entries(escapes).map(([letter, character]) => [character, `\\${letter}`]));

/**
 * Returns the path in the form that code outside of `src/workspace/` uses. Quotes a path that is not UTF-8. Also quotes
 * a path that begins with `"`, so that a plain path cannot look like a quoted one.
 */
export function showPath(path: BytePath): string {
  if (!path.startsWith('"')) {
    if (ascii.test(path)) return path;
    const bytes = Buffer.from(path, "latin1");
    if (isUtf8(bytes)) return bytes.toString("utf8");
  }
  return quotePath(path);
}

/** Converts a text to a `BytePath`: the bytes of its UTF-8 form. */
export function toBytePath(text: string): BytePath {
  return Buffer.from(text, "utf8").toString("latin1");
}

/** Inverts `showPath`; undefined for a quoted path that is malformed. */
export function parsePath(shown: string): BytePath | undefined {
  if (!shown.startsWith('"')) return toBytePath(shown);
  const body = /^"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"$/.exec(shown)?.[1];
  return body?.replace(/\\([0-3][0-7]{2}|.)/g, (_, code: string) =>
    code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (escapes[code] ?? code),
  );
}

/** Quotes a path in git's form, which `git fast-import` reads. */
export function quotePath(path: BytePath): string {
  const body = path.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
    /[\0-\x1f"\\\x7f-\xff]/g,
    (character) => escapeOf.get(character) ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${body}"`;
}

/**
 * Returns the host's path of a file below the folder `root`, for functions of node:fs. It is a Buffer if the path is
 * not ASCII.
 */
export function hostPath(root: string, path: BytePath): string | Buffer {
  if (path === "") return root;
  if (ascii.test(path)) return `${root}/${path}`;
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

export function parentOf(path: BytePath): BytePath {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}

export function nameOf(path: BytePath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Splits the output of `git … -z` into paths. */
export function splitPaths(output: Buffer): BytePath[] {
  return output
    .toString("latin1")
    .split("\0")
    .filter((path) => path !== "");
}

/** Returns all parent folders of these paths, at any depth, without the root. */
export function foldersOf(paths: Iterable<BytePath>): Set<BytePath> {
  const folders = new Set<BytePath>();
  for (const path of paths) {
    for (let slash = path.lastIndexOf("/"); slash > 0; slash = path.lastIndexOf("/", slash - 1)) {
      const folder = path.slice(0, slash);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}
