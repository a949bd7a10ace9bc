import { parsePath } from "./byte-path.ts";

/** Names that some file system equates with `.git`, and invalid names. */
const forbiddenName = /^(?:\.{0,2}|(?:\.git[. ]*|git~1)(?::.*)?)$/is;

/** Characters that HFS+ ignores in names, as characters and as the bytes of a `BytePath`. */
const ignored =
  /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]|\xe2\x80[\x8c-\x8f\xaa-\xae]|\xe2\x81[\xaa-\xaf]|\xef\xbb\xbf/g;

/**
 * Maximum length of a name in bytes (NAME_MAX of common file systems). Below: of a whole path, which leaves room for
 * the parent folder.
 */
export const longestName = 255;
const longestPath = 2048;

/**
 * Returns the reason why a new file must not have this path; undefined if it may. The path has the form that users see
 * (`byte-path.ts`). Existing files may have such a path.
 */
export function findNameProblem(path: string): string | undefined {
  const bytes = parsePath(path);
  if (bytes === undefined || path.startsWith('"')) return "begins with a quotation mark";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\0-\x1f\x7f]/.test(bytes)) return "has a control character in its name";
  if (bytes.length > longestPath) return `is ${bytes.length} bytes long, and the limit is ${longestPath}`;
  const long = bytes.split("/").find((name) => name.length > longestName);
  if (long !== undefined) return `has a name of ${long.length} bytes, and the limit is ${longestName}`;
  return bytes.split("/").some(isForbiddenName) ? "is not a path of a file in the repository" : undefined;
}

/** True for the name of a file or folder that our trees must not contain. */
export function isForbiddenName(name: string): boolean {
  return forbiddenName.test(name.replaceAll(ignored, ""));
}
