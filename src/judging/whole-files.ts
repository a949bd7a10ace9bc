/** Finds the files that are entirely test code, and the kinds of tests inside other files. */
import { posix } from "node:path";
import picomatch from "picomatch";
import type { TestOutcome } from "../domain/test-outcome.ts";
import type { Collection, CollectionRule, TestFramework } from "../languages/contract.ts";
import { isOwnSource, isTestFile, languageOf } from "../languages/source-files.ts";
import { importedStems, stemsOf } from "./importers.ts";
import type { RanInside } from "./test-spans.ts";

export interface RegionSources {
  /** All files of the base. */
  readonly files: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
  /** The tests that ran on the base. */
  readonly outcomes: readonly Pick<TestOutcome, "key">[];
  /** The framework of the test command; undefined if no test command is known. */
  readonly framework: TestFramework | undefined;
}

export interface WholeFiles {
  isWhole(path: string): boolean;
  inside(path: string): RanInside;
}

/** Maximum number of sources whose imports Millwright reads. Above this number, names decide. */
export const mostRead = 4000;
const nothing: RanInside = { items: false, examples: false };

export async function findWholeFiles(sources: RegionSources): Promise<WholeFiles> {
  const { files, read, framework } = sources;
  const ran = findRan(sources);
  const isCollected = await readCollected(sources);
  const declared = new Set(framework?.language === "rust" ? await findTestModules(sources) : []);
  const ranFolders = new Set([...ran.keys()].map((path) => posix.dirname(path)));
  const testFolders = new Set([...ranFolders].filter(isNamedForTests));
  const data = await findOwnData(sources, ranFolders);
  const isPlaced = (path: string): boolean =>
    isTestFile(path) ||
    isCollected(path) ||
    declared.has(path) ||
    data.has(path) ||
    (canImport(path) && testFolders.has(posix.dirname(path)));
  const isNamed = (path: string): boolean =>
    !/(?:^|\/)build\.rs$/.test(path) && (isPlaced(path) || isTestData(path));
  const isRan = (path: string): boolean => ran.get(path)?.items === true && isItself(path);
  const isDoubtful = (path: string): boolean =>
    isNamed(path) ? !isRan(path) && !atRoot.test(path) && !/(?:^|\/)conftest\.py$/.test(path) : isRan(path);
  const doubtful = files.filter((path) => canImport(path) && isDoubtful(path));
  const known = doubtful.length === 0 ? undefined : await readImports(sources, isNamed, isRan);
  const isProduct = new Set<string>();
  for (const path of doubtful) {
    const isLoaded = known !== undefined && stemsOf(path).some((stem) => known.stems.has(stem));
    // Tests ran from a file without a test name. It also holds code if code imports it, or if there is no code
    // elsewhere.
    const isMixed = isLoaded || (!isNamed(path) && known?.isAlone === true);
    if (isMixed || /import\.meta\.vitest/.test((await read(path)) ?? "")) isProduct.add(path);
  }
  const unsure = files.filter((path) => languageOf(path) && !canImport(path) && isNamed(path));
  const inData = unsure.filter((path) => !isPlaced(path) && !isRan(path));
  for (const path of await findImported(sources, isNamed, inData)) isProduct.add(path);
  return {
    isWhole: (path) => !isProduct.has(path) && (isNamed(path) || isRan(path)),
    inside: (path) => ran.get(path) ?? nothing,
  };
}

/**
 * True for a folder named for tests, such as `python_testcases/`. If tests ran from it, its other files are helpers,
 * unless code imports them.
 */
function isNamedForTests(folder: string): boolean {
  return /test/i.test(posix.basename(folder));
}

/**
 * True if a test's target is the test's own source file. In Rust, the target of a unit test is the crate's root. A
 * compiled test program is named after its source.
 */
function isItself(path: string): boolean {
  return !/\.(?:rs|c|cc|cpp|cxx|h|hpp)$/.test(path);
}

function canImport(path: string): boolean {
  return languageOf(path)?.importedStems !== undefined;
}

/** A folder of tests at the root, which contains no code. */
const atRoot = /^(?:tests?|specs?|__tests__)\//;

/** Returns the tests that ran, by their file. */
function findRan({ files, outcomes }: RegionSources): Map<string, RanInside> {
  const present = new Set(files);
  const ran = new Map<string, RanInside>();
  const classes = new Map<string, string | undefined>();
  for (const { key } of outcomes) {
    const isDocumentation = key.target.startsWith("doc:");
    const target = key.target.replace(/^doc:/, "");
    if (!classes.has(target)) classes.set(target, present.has(target) ? target : fileOfClass(files, target));
    const path = classes.get(target);
    if (path === undefined) continue;
    const before = ran.get(path) ?? nothing;
    const isExample = isDocumentation || isDoctest(path, key.name);
    ran.set(path, { items: before.items || !isExample, examples: before.examples || isExample });
  }
  return isDocumented(outcomes) ? withRustExamples(files, ran) : ran;
}

/** True if documentation examples ran. The documentation of a whole crate runs under the name of the crate's root. */
function isDocumented(outcomes: RegionSources["outcomes"]): boolean {
  return outcomes.some(({ key }) => key.target.startsWith("doc:"));
}

function withRustExamples(files: readonly string[], ran: Map<string, RanInside>): Map<string, RanInside> {
  for (const path of files.filter((each) => each.endsWith(".rs")))
    ran.set(path, { items: ran.get(path)?.items ?? false, examples: true });
  return ran;
}

/**
 * Finds the file of a class such as `org.example.CartTest$Inner` or `cart.tests.test_total`, by the end of its path.
 * Undefined for a name without a package.
 */
export function fileOfClass(files: readonly string[], target: string): string | undefined {
  if (!/^[\w$]+(?:\.[\w$]+)+$/.test(target)) return undefined;
  const end = target.replace(/\$.*$/, "").replaceAll(".", "/");
  return files.find((path) => {
    const stem = path.replace(/\.\w+$/, "");
    return languageOf(path) !== undefined && (stem === end || stem.endsWith(`/${end}`));
  });
}

/**
 * True if the name is that of an example in the file: `pkg.cart.total` for `src/pkg/cart.py`, `README.rst` for itself.
 * An example's name begins with the name of its module.
 */
export function isDoctest(path: string, name: string): boolean {
  if (name === posix.basename(path) && languageOf(path) === undefined) return true;
  if (!path.endsWith(".py") || name.includes("::")) return false;
  const parts = path.replace(/(?:\/__init__)?\.py$/, "").split("/");
  return parts.some((_, index) => {
    const module = parts.slice(index).join(".");
    return name === module || name.startsWith(`${module}.`);
  });
}

const testFolder =
  /(?:^|\/)(?:tests?|specs?|__tests__|testdata|__snapshots__|snapshots|fixtures|__fixtures__|__mocks__|goldens?)\//i;
/** `_test/`, `test-data/`, `test_files/`: names that keep tools from treating the folder as code. */
const dataFolder = /(?:^|\/)[_.]?tests?(?:[-_. ]?(?:cases?|data|docs|files?|inputs?|resources|vectors))?\//i;

/** True for files that tests read and nobody compiles. */
function isTestData(path: string): boolean {
  if (/(?:^|\/)conftest\.py$|\.snap$/.test(path)) return true;
  if (languageOf(path) === undefined) return dataFolder.test(path) || testFolder.test(path);
  const folder = testFolder.exec(path);
  if (folder === null || isCodeFolder.test(path)) return false;
  const isBelowCode = codeFolder.test(`${path.slice(0, folder.index)}/`);
  return canImport(path) || certain.test(path) || !isBelowCode;
}

/**
 * True for data named for tests, such as `test.yaml` and `parse_test.json`. Such data belongs to the tests if tests
 * beside it ran.
 */
function isNamedData(path: string): boolean {
  const name =
    /^(?!requirements|docker|compose)(?:[\w-]+[._-])?tests?(?:[-_. ]?(?:cases?|data|inputs?|vectors?))?\.(?:json[5l]?|ya?ml|toml|csv|tsv|txt|xml)$/i;
  return languageOf(path) === undefined && name.test(posix.basename(path));
}

/**
 * Finds data of the base that is named for tests, beside tests that ran, and that no code names. Other data may belong to
 * the code, above all data that a patch adds.
 */
async function findOwnData(
  { files, read }: RegionSources,
  folders: ReadonlySet<string>,
): Promise<Set<string>> {
  const data = files.filter((path) => isNamedData(path) && folders.has(posix.dirname(path)));
  const code = files.filter((path) => languageOf(path) !== undefined && !isTestFile(path));
  if (data.length === 0 || code.length > mostRead) return new Set();
  const named = new Set<string>();
  for (const path of code) {
    const text = (await read(path)) ?? "";
    for (const each of data) if (text.includes(posix.basename(each))) named.add(each);
  }
  return new Set(data.filter((path) => !named.has(path)));
}

/** Folders of code. A module in them is code, even in a folder called `spec`. */
const isCodeFolder = /^(?:src|lib|pkg|internal)\//;
/** The same folders in a part of a repository: `server/src/main/java/org/shop/snapshots/` is a package. */
export const codeFolder = /(?:^|\/)(?:src|lib|pkg|internal)\//;
/** Folders that contain no code, wherever they are. */
const certain = /(?:^|\/)(?:testdata|__\w+__)\//i;

/** A line that loads code: `import shop.fixtures.Cart;`, `use crate::fixtures;`, and a line of Go's list of imports. */
const importing =
  /^[ \t]*(?:(?:pub(?:\([^)\n]*\))?[ \t]+)?(?:import|using|use|mod)\b|#[ \t]*include\b|(?:[\w.]+[ \t]+)?"[\w./-]+"[ \t]*$).*/gm;

/**
 * Selects files of data folders such as `fixtures/` that code loads. Decides by the folder's name in the imports of code,
 * for languages whose records read no imports.
 */
async function findImported(
  { files, read }: RegionSources,
  isNamed: (path: string) => boolean,
  inData: readonly string[],
): Promise<string[]> {
  const asked = inData.filter((path) => !certain.test(path));
  const code = files.filter((path) => isOwnSource(path) && !canImport(path) && !isNamed(path));
  if (asked.length === 0 || code.length > mostRead) return [];
  const folderOf = (path: string): string =>
    testFolder.exec(path)?.[0].replaceAll("/", "").toLowerCase() ?? "";
  const words = new Set<string>();
  for (const path of code)
    for (const [line] of ((await read(path)) ?? "").matchAll(importing))
      for (const word of line.toLowerCase().match(/\w+/g) ?? []) words.add(word);
  return asked.filter((path) => words.has(folderOf(path)));
}

/** Returns the framework's patterns of test files: its defaults, or the patterns that a file of the base configures. */
async function readCollected({ files, read, framework }: RegionSources): Promise<(path: string) => boolean> {
  const { usual = [], configured = [] }: Partial<Collection> = framework?.collects ?? {};
  const matchers: ((path: string) => boolean)[] = [];
  for (const rule of configured) {
    const isSetting = picomatch(rule.file, { dot: true });
    for (const path of files.filter((each) => isSetting(each))) {
      const text = (await read(path)) ?? "";
      const setting = new RegExp(rule.setting, `${rule.setting.flags}g`);
      for (const [, value = ""] of text.matchAll(setting))
        for (const pattern of patternsOf(value))
          matchers.push(matcherOf(pattern, rule.as, posix.dirname(path)));
    }
  }
  const isUsual =
    matchers.length > 0 || usual.length === 0 ? () => false : picomatch([...usual], { dot: true });
  return (path) => isUsual(path) || matchers.some((matches) => matches(path));
}

/** Returns the quoted strings of a value, or its words. */
function patternsOf(value: string): string[] {
  const quoted = [...value.matchAll(/"([^"\n]*)"|'([^'\n]*)'|\/((?:[^/\\\n]|\\.)+)\//g)];
  const found = quoted.length > 0 ? quoted.map(([, a, b, c]) => a ?? b ?? c ?? "") : value.split(/[\s,]+/);
  // A pattern with only an extension would match all code.
  return found.filter((each) => !each.startsWith("!") && /\w/.test(each.replace(/\.[\w{},?]+$/, "")));
}

function matcherOf(pattern: string, as: CollectionRule["as"], folder: string) {
  const plain = pattern.replace(/^<rootDir>\//, "").replace(/^\.\//, "");
  if (as === "regexes") {
    const regex = compile(plain);
    return (path: string): boolean => languageOf(path) !== undefined && regex?.test(`/${path}`) === true;
  }
  const glob = as === "names" ? `**/${plain.includes("*") ? plain : `${plain}*`}` : posix.join(folder, plain);
  // A folder matches everything in it.
  const matches = picomatch(/[*.]\w*$/.test(glob) ? glob : `${glob}/**`, { dot: true });
  return (path: string): boolean => languageOf(path) !== undefined && matches(path);
}

function compile(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern);
  } catch {
    return undefined;
  }
}

/** Files that import a test helper and are not shipped code. */
export const undelivered = /(?:^|\/)(?:bench(?:es|marks?)?|examples?|scripts?|docs?|playgrounds?)\//i;

interface Imports {
  /** Files that code imports. */
  readonly stems: ReadonlySet<string>;
  /** True if code is only in files with tests that ran. */
  readonly isAlone: boolean;
}

async function readImports(
  { files, read }: RegionSources,
  isNamed: (path: string) => boolean,
  isRan: (path: string) => boolean,
): Promise<Imports | undefined> {
  const code = files.filter((path) => isOwnSource(path) && canImport(path) && !isNamed(path));
  if (code.length > mostRead) return undefined;
  const stems = new Set<string>();
  for (const path of code.filter((each) => !isRan(each) && !undelivered.test(each)))
    for (const stem of importedStems(path, (await read(path)) ?? "")) stems.add(stem);
  const isSetup = (path: string): boolean => /(?:^|\/)(?:setup|noxfile)\.py$|\.config\.\w+$/.test(path);
  return { stems, isAlone: code.every((path) => isRan(path) || isSetup(path)) };
}

const testModule =
  /#\[\s*cfg\s*\(\s*(?:all\s*\(\s*)?test\b[^\]]*\]\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+(\w+)\s*;/g;

/** Finds the files of Rust's `#[cfg(test)] mod NAME;` and everything below them. */
async function findTestModules({ files, read }: RegionSources): Promise<string[]> {
  const sources = files.filter((path) => path.endsWith(".rs") && !isTestFile(path));
  if (sources.length > mostRead) return [];
  const stems: string[] = [];
  for (const path of sources) {
    const folder = /(?:^|\/)(?:lib|main|mod)\.rs$/.test(path)
      ? posix.dirname(path)
      : path.replace(/\.rs$/, "");
    for (const [, name = ""] of ((await read(path)) ?? "").matchAll(testModule))
      stems.push(posix.join(folder, name));
  }
  return sources.filter((path) => stems.some((stem) => path === `${stem}.rs` || path.startsWith(`${stem}/`)));
}
