import picomatch from "picomatch";
import type { Language } from "./contract.ts";
import { languages } from "./languages.generated.ts";

/** Folders whose files nobody edits by hand. */
const foreign = picomatch(
  [
    "**/node_modules/**",
    "**/vendor/**",
    "**/third_party/**",
    "**/dist/**",
    "**/build/**",
    "**/.*/**",
    "**/*.min.*",
    "**/*.d.ts",
  ],
  { dot: true },
);
/** One expression: asked for each file of a repository, a matcher for each glob takes twice as long. */
const testFile = new RegExp(
  languages
    .flatMap((language) => language.testFiles)
    .map((glob) => picomatch.makeRe(glob, { dot: true }).source)
    .join("|"),
);

export function languageOf(path: string): Language | undefined {
  return languages.find((language) => language.extensions.some((extension) => path.endsWith(extension)));
}

/** True for a file in which a fault is looked for: of a known language, the repository's own, and no test. */
export function isSourceFile(path: string): boolean {
  return isOwnSource(path) && !testFile.test(path);
}

/** True for a file of a known language that is the repository's own, test or not. */
export function isOwnSource(path: string): boolean {
  return languageOf(path) !== undefined && !foreign(path);
}

/** True for a file that is named as tests, or what they need, are in one of the languages. */
export function isTestFile(path: string): boolean {
  return testFile.test(path);
}
