import { parsePath } from "./byte-path.ts";

/** Names that some file system takes for `.git`, or that are no name. */
const forbiddenName = /^(?:\.{0,2}|\.git[. ]*|git~1)$/i;

/** Bytes of a name, and of a whole path: what the usual file systems take (NAME_MAX), and what leaves room for the folder around it. */
export const longestName = 255;
const longestPath = 2048;

/**
 * Why nobody may make a file of this name, for who named it (as others see paths, `byte-path.ts`); undefined where it can be made.
 * Files that are there already may have such a name.
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

/** True for the name of a file or folder that no tree of ours may have. */
export function isForbiddenName(name: string): boolean {
  return forbiddenName.test(name);
}
