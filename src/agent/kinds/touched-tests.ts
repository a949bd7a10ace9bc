/** Tests that were there and may say something else since files of tests changed: in these, or with the help of these. */
import { posix } from "node:path";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { fileOfClass } from "../../judging/whole-files.ts";
import type { Selection } from "../../languages/contract.ts";
import { isOwnSource, isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import { changedFiles } from "../code/changed-files.ts";
import type { Suite } from "../suite.ts";
import { findWeakened } from "./tests-intact.ts";

/**
 * Of the tests that pass on the base, those that a tree's changes of tests may concern, whatever was added to them too: the last word of a
 * table, or of a module, is the one that counts.
 *
 * @param outcomes of all tests, on that tree
 */
export async function findTouched(
  { suite, regions, workspace: { trees, base } }: Pick<ActionContext, "suite" | "regions" | "workspace">,
  tree: string,
  outcomes: readonly Pick<TestOutcome, "key">[],
): Promise<TestKey[]> {
  const passed = suite.outcomes.filter(({ status }) => status === "passed").map(({ key }) => key);
  const files = (await trees.list(base)).map(({ path }) => path);
  const { tests } = await changedFiles(trees, regions, base, tree);
  const fresh = tests.filter((path) => isOwnSource(path) && !files.includes(path));
  const keys = outcomes.map(({ key }) => key);
  const all = new Set([...files, ...fresh]);
  // A new source without a test of its own may stand in the place of another that tests load.
  if (fresh.some((path) => !keys.some((key) => standsIn(key, path, all)))) return passed;
  return testsConcerned(passed, await findWeakened({ trees, regions, base, tree, adds: false }), files);
}

/**
 * Of `keys`, those that a change of the files may concern: the tests that stand in them; all, where one of the files has none, for
 * helpers and data of tests serve others. A snapshot serves the file that it is named after.
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

/** All tests where all that passed are to be asked: a list of thousands costs more than the few others. */
export function askFor(tests: readonly TestKey[], { outcomes }: Pick<Suite, "outcomes">): Selection {
  const passed = outcomes.filter(({ status }) => status === "passed").length;
  return tests.length < passed ? { kind: "tests", tests } : { kind: "all" };
}

/** `__snapshots__/cart.test.ts.snap` */
function homeOfSnapshot(path: string, present: ReadonlySet<string>): string | undefined {
  const { dir, name, ext } = posix.parse(path);
  const home = posix.join(posix.dirname(dir), name);
  return ext === ".snap" && posix.basename(dir) === "__snapshots__" && present.has(home) ? home : undefined;
}

/** Examples of a crate run under the name of its root, and unit tests of Rust do. */
function standsIn({ target, name }: TestKey, path: string, present: ReadonlySet<string>): boolean {
  if (target.startsWith("doc:")) return name.startsWith(`${path} - `);
  if (target === path) return true;
  if (path.endsWith(".rs") && !isTestFile(path)) return !isTestFile(target);
  return !present.has(target) && fileOfClass([path], target) === path;
}
