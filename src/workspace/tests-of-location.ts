/**
 * Selects the tests to run for a place in the code, for `millwright tests`: by coverage, or else by names and texts.
 * Other questions about tests use `src/tools/tests-of-place.ts`.
 */
import { posix } from "node:path";
import type { CoveredLines, TestKey } from "../domain/test-outcome.ts";
import { formatTestKey } from "../domain/test-outcome.ts";
import type { ProjectView, Selection } from "../languages/contract.ts";

export interface CodeLocation {
  /** The file's path, relative to the repository. */
  readonly file: string;
  readonly line?: number;
  /** A function, method or class in the file. */
  readonly symbol?: string;
}

export interface TestKnowledge {
  readonly project: ProjectView;
  /** The repository's tests, from an earlier full run. */
  readonly tests: readonly TestKey[];
  /** Executed lines by `formatTestKey`, from a run with coverage. Without coverage, names and texts decide. */
  readonly coverage?: ReadonlyMap<string, CoveredLines>;
}

export interface RelatedTests {
  readonly selection: Selection;
  /** The evidence that selected them, for people. */
  readonly evidence: "it is a test" | "coverage" | "names and texts" | "same folder" | "none, so all tests";
}

/** Maximum number of targets to find by names and texts. More add little. */
const mostTargets = 20;

/** Finds the tests of a location. Returns all tests if no evidence selects some of them. */
export function findTestsOf(location: CodeLocation, known: TestKnowledge): RelatedTests {
  const { tests, coverage } = known;
  const own = tests.filter((key) => key.target === location.file);
  if (own.length > 0) {
    const named = own.filter((key) => location.symbol !== undefined && mentions(key.name, location.symbol));
    return { selection: { kind: "tests", tests: named.length > 0 ? named : own }, evidence: "it is a test" };
  }
  const covering = coverage === undefined ? [] : findCovering(location, tests, coverage);
  if (covering.length > 0) return { selection: { kind: "tests", tests: covering }, evidence: "coverage" };
  const targets = rankTargets(location, known);
  if (targets.length > 0)
    return { selection: { kind: "files", files: targets }, evidence: "names and texts" };
  const folder = posix.dirname(location.file);
  const near = [...new Set(tests.map((key) => key.target))].filter(
    (target) => posix.dirname(target) === folder,
  );
  if (near.length > 0) return { selection: { kind: "files", files: near }, evidence: "same folder" };
  return { selection: { kind: "all" }, evidence: "none, so all tests" };
}

/**
 * Returns the tests that executed the line. If none did, or no line is given, returns the tests that executed any line
 * of the file.
 */
function findCovering(
  location: CodeLocation,
  tests: readonly TestKey[],
  coverage: ReadonlyMap<string, CoveredLines>,
): TestKey[] {
  const inFile = tests.filter((key) => (coverage.get(formatTestKey(key))?.[location.file]?.length ?? 0) > 0);
  const { line } = location;
  if (line === undefined) return inFile;
  const onLine = inFile.filter((key) => coverage.get(formatTestKey(key))?.[location.file]?.includes(line));
  return onLine.length > 0 ? onLine : inFile;
}

function rankTargets(location: CodeLocation, { project, tests }: TestKnowledge): string[] {
  const targets = [...new Set(tests.map((key) => key.target))];
  const scored = targets.map((target) => ({
    target,
    score: scoreTarget(target, project.read(target) ?? "", location),
  }));
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || (a.target < b.target ? -1 : 1))
    .slice(0, mostTargets)
    .map(({ target }) => target);
}

/** File names without meaning. The folder's name replaces them. */
const commonStems = /^(?:index|main|mod|lib|init|__init__|__main__|core|base)$/;

function scoreTarget(target: string, text: string, { file, symbol }: CodeLocation): number {
  const stem = stemOf(file);
  const named = commonStems.test(stem) ? posix.basename(posix.dirname(file)) : stem;
  const path = file.replace(/\.\w+$/, "").replace(/\/(?:index|mod|__init__)$/, "");
  const isNamed = named !== "." && plain(testedBy(stemOf(target))) === plain(named);
  // `pkg/mod` of an import, `pkg.mod` of Python and Java, `pkg::mod` of Rust; without the outermost folder (`src`,
  // `lib`).
  const parts = path.split("/");
  const module = parts.slice(parts.length > 2 ? -2 : -1);
  const isImported = module.length > 1 && ["/", ".", "::"].some((sign) => text.includes(module.join(sign)));
  const isMentioned = named.length > 2 && mentions(text, named);
  const hasSymbol = symbol !== undefined && mentions(text, symbol.replace(/^.*[.:#]/, ""));
  return (isNamed ? 3 : 0) + (isImported ? 2 : 0) + (isMentioned ? 1 : 0) + (hasSymbol ? 2 : 0);
}

function stemOf(file: string): string {
  return posix.basename(file).replace(/\.\w+$/, "");
}

/**
 * Returns the subject's name in the name of a test file: `account` in `test_account`, `AccountTest`, `account.spec`,
 * `account_test`.
 */
function testedBy(stem: string): string {
  return stem
    .replace(/^(?:test|spec)s?[_-]|^Test(?=[A-Z])/, "")
    .replace(/[._-](?:test|spec|unittest)s?$|(?:Tests?|TestCase|Spec|IT)$/, "");
}

function plain(name: string): string {
  return name.replaceAll(/[._-]/g, "").toLowerCase();
}

function mentions(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[A-Za-z0-9]/.test(`${text[at - 1] ?? ""}${text[at + word.length] ?? ""}`)) return true;
  }
  return false;
}
