/** Distinguishes the code that a project delivers from tests, documentation and tools. */
import { isSourceFile, isTestFile } from "../languages/source-files.ts";

/** Returns true for files that a project does not deliver: tests, documentation, examples, benchmarks, scripts. */
export function isExtra(path: string): boolean {
  return isTestFile(path) || /(?:^|\/)(?:tests?|docs?|examples?|bench(?:es|marks?)?|scripts?)\//.test(path);
}

export function isDelivered(path: string): boolean {
  return isSourceFile(path) && !isExtra(path);
}
