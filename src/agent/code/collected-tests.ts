/**
 * Determines the test files that the command runs, from its report on the base. New tests must be in such files. Pure.
 */

import { posix } from "node:path";
import picomatch from "picomatch";
import { countOf } from "../../base/count.ts";
import { isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import { isTestFile, languageOf } from "../../languages/source-files.ts";
import type { Suite, SuitePart } from "../suite.ts";
import { isBesideTests } from "./tests-by-words.ts";

type Ran = Pick<Suite, "command" | "outcomes" | "part">;

/** Maximum number of groups to name. */
const most = { run: 6, left: 3 };
/** Share of test files that the command may skip without a remark. */
const mostSilent = 0.3;

/**
 * Lists the files in which the command ran tests; empty if its report names no files. If only a part of the tests ran,
 * adds files of the same languages that probably contain tests:
 * - files that match the command's patterns
 * - without patterns, files with test names
 * - if the executed files lack such names, also test files below their folders
 */
export function runFiles({ command, outcomes, part }: Ran, files: readonly string[]): readonly string[] {
  const targets = new Set(outcomes.map(({ key }) => key.target));
  const run = files.filter((path) => targets.has(path));
  if (part === undefined || run.length === 0) return run;
  const endings = new Set(run.flatMap((path) => languageOf(path)?.extensions ?? [posix.extname(path)]));
  const globs = globsOf(command);
  const isMeant =
    globs.length > 0
      ? (path: string) => fits(globs, path)
      : run.some(isNamedAsTest)
        ? isNamedAsTest
        : (path: string) => isNamedAsTest(path) || isBelow(run, path);
  return files.filter((path) => targets.has(path) || (endings.has(posix.extname(path)) && isMeant(path)));
}

/** True for `test/functions/inc.js` if `test/index.js` is a test, unless the folder looks like test data. */
function isBelow(run: readonly string[], path: string): boolean {
  const folder = posix.dirname(path);
  const isUnder = run.some(
    (each) => folder === posix.dirname(each) || folder.startsWith(`${posix.dirname(each)}/`),
  );
  return isUnder && isTest(path);
}

/** True for a test by its name or folder, unless the folder looks like test data. */
function isTest(path: string): boolean {
  const isData = /(?:^|\/)(?:fixtures?|data|helpers?|utils?|support)\//i.test(path);
  return isTestFile(path) && languageOf(path) !== undefined && !isData;
}

/** Tells authors of tests the command, and the files that it runs or skips. */
export function describeCollected(suite: Ran, files: readonly string[]): string {
  const { command, directory } = suite.command;
  const head = `The test command is \`${command}\`${directory === "" ? "" : ` in ${directory}`}.`;
  const { run, collects } = readCollection(suite, files);
  // Tests inside sources say nothing about the location of test files.
  if (!run.some(isTestFile)) return head;
  const left = files.filter((path) => isNamedAsTest(path) && !collects(path));
  const others = left.length === 0 ? "" : ` It does not run ${listGroups(left, most.left)}.`;
  return `${head} It runs ${listGroups(run, most.run)}.${others} A new test file counts only if the command runs it.`;
}

/**
 * Says why tests in these files have no effect: the command would not run them, or a file that prepares tests
 * (`conftest.py`) does not load, as `outcomes` show. Undefined if the command runs them, as far as known.
 */
export function refuseUncollected(
  suite: Ran,
  files: readonly string[],
  written: readonly string[],
  outcomes: readonly TestOutcome[] = [],
): string | undefined {
  const { run, collects } = readCollection(suite, without(files, written));
  const left = written.filter((path) => !collects(path));
  if (left.length === 0) return undefined;
  const unloaded = outcomes.find(
    ({ key, status, failure }) =>
      key.name === "" && isFailing(status) && failure !== undefined && left.includes(key.target),
  );
  if (unloaded?.failure !== undefined) {
    const { type, message } = unloaded.failure;
    return `${unloaded.key.target} does not load, so the tests that need it do not run: ${type}: ${message}`;
  }
  const { command, directory } = suite.command;
  const isOutside = directory !== "" && left.every((path) => !path.startsWith(`${directory}/`));
  const where = isOutside ? ` in ${directory}` : "";
  const none = isOutside ? ", and Millwright found no command that does" : "";
  return `\`${command}\`${where} does not run ${left.join(", ")}${none}: move the tests to a file that it runs, with a name and a folder like ${listGroups(run, most.run)}.`;
}

/** Lists the written files that are named as tests but that the command would not run, as far as known. */
export function listUncollected(
  suite: Ran,
  files: readonly string[],
  written: readonly string[],
): readonly string[] {
  const { collects } = readCollection(suite, without(files, written));
  return written.filter((path) => isNamedAsTest(path) && !collects(path));
}

function without(files: readonly string[], others: readonly string[]): string[] {
  return files.filter((path) => !others.includes(path));
}

/**
 * Keeps the files that are like those that the command ran. Keeps all files if no result shows which ones it ran.
 * Leaves out test data with test names (`testing/example_scripts/test_foo.py`), unless the command ran such files there:
 * tests of a framework run them, and a run that names them loads two modules of one name.
 */
export function keepCollected(suite: Ran, files: readonly string[]): readonly string[] {
  const { run, collects } = readCollection(suite, files);
  const groups = new Set(run.map(groupOf));
  const known = new Set(suite.outcomes.map(({ key }) => groupOf(key.target)));
  const isLike = (path: string): boolean =>
    (isNamedAsTest(path) || groups.has(groupOf(path))) && (!isBesideTests(path) || known.has(groupOf(path)));
  return run.length === 0 ? files : files.filter((path) => collects(path) && isLike(path));
}

/** Lists the files with test names for which the run reported no test. Empty if reports name no files. */
export function listUnreported(
  suite: Ran,
  files: readonly string[],
  outcomes: readonly TestOutcome[],
): readonly string[] {
  if (runFiles(suite, files).length === 0) return [];
  const targets = new Set(outcomes.map(({ key }) => key.target));
  return files.filter((path) => isNamedAsTest(path) && !targets.has(path));
}

/** Tells judges if only a part of the tests ran, or if the command skips many test files. Otherwise "". */
export function tellLeftOut(suite: Ran, files: readonly string[]): string {
  if (suite.part !== undefined) return tellPart({ part: suite.part, outcomes: suite.outcomes });
  const { run, collects, patterns } = readCollection(suite, files);
  // Without patterns, nothing shows whether the command runs files with generic names.
  const isMeant = patterns.length > 0 ? isTest : isNamedAsTest;
  const all = [...new Set([...run.filter(isTestFile), ...files.filter(isMeant)])];
  const left = all.filter((path) => !collects(path));
  if (!run.some(isTestFile) || left.length < mostSilent * all.length) return "";
  return `The test command runs ${all.length - left.length} of ${countOf(all.length, "test file")}, but not ${listGroups(left, most.left)}.`;
}

/** Tells people why only a part of the tests ran or counts. */
export function tellPart({ part, outcomes }: { readonly part: SuitePart } & Pick<Ran, "outcomes">): string {
  const { files, of, why } = part;
  const isNone = outcomes.length === 0;
  if (why === "time" && of === 0 && isNone) return "No test of the base ran";
  if (why === "invalid")
    return isNone
      ? "No test result counts, because the run of all tests cannot be trusted"
      : `The run of all tests cannot be trusted, so only these test files count: ${listSome(files)}`;
  if (why === "first" && files.length === 0)
    return isNone
      ? "The first run reached its time limit before any test ended. All tests run again during the work"
      : "Only some test results are known so far. The whole suite takes longer, and runs during the work";
  const what = files.length === 0 ? "the tests that ended" : tellCount(files.length, of, why === "time");
  return why === "time"
    ? `Only part of the tests ran, ${what}${files.length === 0 ? "" : ` (${listSome(files)})`}: the whole suite did not end within its time limit`
    : `Only the nearest tests ran, ${what} (${listSome(files)})`;
}

/** Describes how many of the test files ran. Counts files by their names, but other files may contain tests too. */
function tellCount(ran: number, of: number, isCut: boolean): string {
  // Some test of each file ended, but not all tests.
  if (isCut && ran === of) return `not all tests of ${countOf(ran, "test file")}`;
  return ran > of ? countOf(ran, "test file") : `${ran} of ${countOf(of, "test file")}`;
}

function listSome(files: readonly string[]): string {
  return [...files.slice(0, most.run), ...(files.length > most.run ? ["…"] : [])].join(", ");
}

interface Collection {
  readonly run: readonly string[];
  /** The command's globs; empty if a file that the command ran matches none of them. */
  readonly patterns: readonly string[];
  readonly collects: (path: string) => boolean;
}

/** Determines which files the command runs: by its patterns, or else by the results of similar files. */
function readCollection(suite: Ran, files: readonly string[]): Collection {
  const run = runFiles(suite, files);
  const ran = new Set(run);
  const patterns = patternsOf(suite, run);
  const groups = Map.groupBy(files, groupOf);
  const forms = Map.groupBy(files, formOf);
  // Caches the answer for each group, because a group may contain thousands of files.
  const known = new Map<readonly string[], boolean>();
  const isRun = (group: readonly string[]): boolean => {
    const said = known.get(group) ?? group.some((each) => ran.has(each));
    known.set(group, said);
    return said;
  };
  const collects = (path: string): boolean => {
    if (run.length === 0 || ran.has(path)) return true;
    if (patterns.length > 0) return fits(patterns, path);
    // A generic name proves nothing: a folder of tests may contain other files (Rust's `tests/`).
    if (formOf(path) === `*${posix.extname(path)}`) return true;
    const akin = groups.get(groupOf(path)) ?? forms.get(formOf(path));
    return akin === undefined || isRun(akin);
  };
  return { run, patterns, collects };
}

/** Returns the command's globs, if all files that it ran match one of them. */
function patternsOf({ command }: Ran, run: readonly string[]): string[] {
  const globs = globsOf(command);
  return run.every((path) => fits(globs, path)) ? globs : [];
}

/** Returns the file patterns in the command's text, relative to the repository's root. */
export function globsOf({ command, directory }: Pick<Ran["command"], "command" | "directory">): string[] {
  const words = (command.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^['"]|['"]$/g, ""));
  return words
    .filter((word) => /[*?{]/.test(word) && /[/.]/.test(word) && !word.startsWith("-"))
    .map((word) => posix.join(directory, word));
}

export function fits(globs: readonly string[], path: string): boolean {
  return globs.some((glob) => picomatch.isMatch(path, glob, { dot: true }));
}

/** Lists groups of files, the largest first: `tests/test_*.py (3 files), …`. */
function listGroups(paths: readonly string[], count: number): string {
  const groups = [...Map.groupBy(paths, groupOf)].sort(([, one], [, other]) => other.length - one.length);
  const named = groups
    .slice(0, count)
    .map(([group, { length }]) => (length === 1 ? group : `${group} (${length} files)`));
  return [...named, ...(groups.length > count ? ["…"] : [])].join(", ");
}

function groupOf(path: string): string {
  return posix.join(posix.dirname(path), formOf(path));
}

const forms: readonly (readonly [RegExp, string])[] = [
  [/^(?:test|spec)[_-].+?(\.\w+)$/i, "$start*$1"],
  [/^.+?([._-](?:tests?|specs?)\.\w+)$/i, "*$1"],
  [/^.+?((?:Tests?|TestCase|Spec|IT)\.\w+)$/, "*$1"],
];

/** Returns the form of a test file's name: `test_*.py`, `*.spec.js`, `*Test.java`; else `*.js`. */
function formOf(path: string): string {
  const name = posix.basename(path);
  for (const [form, pattern] of forms) {
    const [, ending = ""] = form.exec(name) ?? [];
    if (ending === "") continue;
    return pattern.replace("$start", name.slice(0, 5)).replace("$1", ending);
  }
  return `*${posix.extname(name)}`;
}

export function isNamedAsTest(path: string): boolean {
  return isTestFile(path) && languageOf(path) !== undefined && formOf(path) !== `*${posix.extname(path)}`;
}
