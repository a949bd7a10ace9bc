/** Recognises the code that a project delivers. */
import { isSourceFile, isTestFile } from "../languages/source-files.ts";

/** Folders with other code. */
export function isExtra(path: string): boolean {
  return isTestFile(path) || /(?:^|\/)(?:tests?|docs?|examples?|bench(?:es|marks?)?|scripts?)\//.test(path);
}

export function isDelivered(path: string): boolean {
  return isSourceFile(path) && !isExtra(path);
}
