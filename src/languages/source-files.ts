import picomatch from "picomatch";
import type { Language } from "./contract.ts";
import { languages } from "./languages.generated.ts";

/** Folders with files that nobody edits by hand. */
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
/** A single expression, because this runs for every file and one matcher per glob takes twice as long. */
const testFile = new RegExp(
  languages
    .flatMap((language) => language.testFiles)
    .map((glob) => picomatch.makeRe(glob, { dot: true }).source)
    .join("|"),
);

const known: readonly Language[] = languages;

/** With the dot: `.py`. */
export const sourceExtensions: readonly string[] = known.flatMap(({ extensions }) => extensions);

const buildScript = picomatch(known.flatMap(({ buildScripts = [] }) => [...buildScripts]));

export function languageOf(path: string): Language | undefined {
  return languages.find((language) => language.extensions.some((extension) => path.endsWith(extension)));
}

/** Returns the language whose test frameworks run the tests of a language: JavaScript for TypeScript, else itself. */
export function familyOf(language: string): string {
  return language === "typescript" ? "javascript" : language;
}

/** True for a file that may contain a fault: a file of the repository in a known language, except tests. */
export function isSourceFile(path: string): boolean {
  return isOwnSource(path) && !testFile.test(path);
}

/**
 * Like `isSourceFile`, but accepts every folder, because a project may keep own code in `build/`, `dist/` or `vendor/`.
 */
export function isCodeFile(path: string): boolean {
  return languageOf(path) !== undefined && !testFile.test(path);
}

/** True for the repository's own files in a known language, tests included. */
export function isOwnSource(path: string): boolean {
  return languageOf(path) !== undefined && !isForeignFile(path);
}

/**
 * True for a file of any language in a folder for built or vendored files, or in a hidden folder, even if the project
 * keeps its own code there. Also true for minified files and type declarations.
 */
export function isForeignFile(path: string): boolean {
  return foreign(path);
}

/**
 * Returns the files outside folders of built and vendored files; all files if there are no others. A patch often
 * rebuilds `dist/` together with its source, and the built copy adds no information.
 */
export function preferOwn<File extends { readonly path: string }>(files: readonly File[]): readonly File[] {
  const own = files.filter(({ path }) => !isForeignFile(path));
  return own.length === 0 ? files : own;
}

/** True for a file named like a test or like test data, in any of the languages. */
export function isTestFile(path: string): boolean {
  return testFile.test(path);
}

/** True for a script that a project's builds and tools run, such as `setup.py`. The project's tests cannot load it. */
export function isBuildScript(path: string): boolean {
  return buildScript(path);
}
