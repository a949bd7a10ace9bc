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
const testFile = picomatch(
  languages.flatMap((language) => language.testFiles),
  { dot: true },
);

export function languageOf(path: string): Language | undefined {
  return languages.find((language) => language.extensions.some((extension) => path.endsWith(extension)));
}

/** True for a file in which a fault is looked for: of a known language, the repository's own, and no test. */
export function isSourceFile(path: string): boolean {
  return languageOf(path) !== undefined && !foreign(path) && !testFile(path);
}

/** True for a file that is named as tests, or what they need, are in one of the languages. */
export function isTestFile(path: string): boolean {
  return testFile(path);
}
