/**
 * Finds existing tests whose results may differ because test files changed: tests in these files, or tests that use
 * them.
 */
import { posix } from "node:path";
import { formatTestKey, passedKeys, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { fileOfClass } from "../../judging/whole-files.ts";
import type { Selection } from "../../languages/contract.ts";
import { isOwnSource, isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { changedFiles } from "../code/changed-files.ts";
import type { Suite } from "../suite.ts";
import { findWeakened } from "./tests-intact.ts";

/**
 * Returns tests that pass on the base, and that the tree's changes of tests may affect. Additions count as changes: a
 * new test can override an inherited one, or leave state behind for its neighbours.
 *
 * @param outcomes the results of all tests on that tree
 */
export async function findTouched(
  { suite, regions, workspace: { trees, base } }: Pick<ActionContext, "suite" | "regions" | "workspace">,
  tree: string,
  outcomes: readonly Pick<TestOutcome, "key">[],
): Promise<TestKey[]> {
  const passed = passedKeys(suite.outcomes);
  const files = (await trees.list(base)).map(({ path }) => path);
  const { tests } = await changedFiles(trees, regions, base, tree);
  const fresh = tests.filter((path) => isOwnSource(path) && !files.includes(path));
  const keys = outcomes.map(({ key }) => key);
  const all = new Set([...files, ...fresh]);
  // A new source without its own tests may replace another one that tests load.
  if (fresh.some((path) => !keys.some((key) => standsIn(key, path, all)))) return passed;
  const touched = await findWeakened({ trees, regions, base, tree, adds: false });
  return testsConcerned(passed, touched, files);
}

/**
 * Returns the tests that a change of the files may affect: the tests in these files. Returns all tests if one of the
 * files contains no test, because other files use helpers and test data. A changed snapshot affects the tests of the
 * file that its name contains.
 *
 * @param files all files of the base
 */
export function testsConcerned(
  keys: readonly TestKey[],
  changed: readonly string[],
  files: readonly string[],
): TestKey[] {
  const present = new Set(files);
  const found = new Set<string>();
  for (const path of changed) {
    const home = homeOfSnapshot(path, present) ?? path;
    const own = keys.filter((key) => standsIn(key, home, present));
    if (own.length === 0) return [...keys];
    for (const key of own) found.add(formatTestKey(key));
  }
  return keys.filter((key) => found.has(formatTestKey(key)));
}

/**
 * Selects these tests. If there are at least as many of them as passing tests in the suite, selects the whole suite. A
 * list of thousands of names costs more than some additional tests.
 */
export function askFor(tests: readonly TestKey[], { outcomes }: Pick<Suite, "outcomes">): Selection {
  const passed = outcomes.filter(({ status }) => status === "passed").length;
  return tests.length < passed ? { kind: "tests", tests } : { kind: "all" };
}

/** Returns the test file of a snapshot, such as `__snapshots__/cart.test.ts.snap`. */
function homeOfSnapshot(path: string, present: ReadonlySet<string>): string | undefined {
  const { dir, name, ext } = posix.parse(path);
  const home = posix.join(posix.dirname(dir), name);
  return ext === ".snap" && posix.basename(dir) === "__snapshots__" && present.has(home) ? home : undefined;
}

/**
 * True if the test may be in the file `path`. A crate's examples and unit tests have the crate's root as their target.
 */
function standsIn({ target, name }: TestKey, path: string, present: ReadonlySet<string>): boolean {
  if (target.startsWith("doc:")) return name.startsWith(`${path} - `);
  if (target === path) return true;
  if (path.endsWith(".rs") && !isTestFile(path)) return !isTestFile(target);
  return !present.has(target) && fileOfClass([path], target) === path;
}
