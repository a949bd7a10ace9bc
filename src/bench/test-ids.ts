/** Matches the ids in a task's lists with the tests of a run. */
import { literally } from "../base/literal-pattern.ts";
import { formatTestKey, type TestKey, type TestOutcome, type TestStatus } from "../domain/test-outcome.ts";
import type { GradedRun } from "./graders/contract.ts";

export interface MatchedIds {
  /** The status of each id that matches a test of the run. */
  readonly statuses: ReadonlyMap<string, TestStatus>;
  /** Ids that match no test of the run. */
  readonly unmatched: readonly string[];
  /** Ids that match several tests; the worst of their statuses counts. */
  readonly ambiguous: readonly string[];
}

/** Statuses, from the one that lists prefer to the one that they accept least. */
const order: readonly TestStatus[] = [
  "passed",
  "expected-failure",
  "skipped",
  "not-run",
  "errored",
  "timed-out",
  "failed",
];

type NamedRun = Pick<GradedRun, "framework" | "outcomes" | "root">;

/** Matches ids with tests. `cutIds`: true if an id may be truncated; see `findTruncated`. */
export function matchIds(run: NamedRun, ids: readonly string[], cutIds = true): MatchedIds {
  const named = nameOutcomes(run);
  const statuses = new Map<string, TestStatus>();
  const unmatched: string[] = [];
  const ambiguous: string[] = [];
  for (const id of ids) {
    const whole = named.get(id);
    const found = whole ?? (cutIds ? findTruncated(id, named) : new Set<TestOutcome>());
    if (found.size > 1) ambiguous.push(id);
    const all = [...found].map((outcome) => outcome.status);
    const status = whole === undefined && isTorn(all) && worst(all) === "skipped" ? "not-run" : worst(all);
    if (status === undefined) unmatched.push(id);
    else statuses.set(id, status);
  }
  return { statuses, unmatched, ambiguous };
}

/** Returns the tests of a run that match the ids. */
export function findTests(run: NamedRun, ids: readonly string[]): TestOutcome[] {
  const named = nameOutcomes(run);
  return [...new Set(ids.flatMap((id) => [...(named.get(id) ?? findTruncated(id, named))]))];
}

export function worst(statuses: readonly TestStatus[]): TestStatus | undefined {
  return [...statuses].sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
}

/**
 * True if only some tests of a truncated id pass. Such an id does not pass, as in SWE-bench's report, even if a skipped
 * test would count as passed.
 */
function isTorn(statuses: readonly TestStatus[]): boolean {
  const isPassing = (status: TestStatus): boolean => status === "passed" || status === "expected-failure";
  return statuses.some(isPassing) && !statuses.every(isPassing);
}

function nameOutcomes({ framework, outcomes, root }: NamedRun) {
  const named = new Map<string, Set<TestOutcome>>();
  for (const outcome of outcomes) {
    for (const name of namesOf(framework, outcome.key, root)) {
      const known = named.get(name);
      if (known === undefined) named.set(name, new Set([outcome]));
      else known.add(outcome);
    }
  }
  return named;
}

/**
 * Returns the ids by which lists of tests may name a test: our own key, and the notations of each framework.
 * - pytest: the node id `FILE::CLASS::NAME[PARAMETERS]`, which is our key.
 * - unittest: `NAME (MODULE.CLASS)` and `MODULE.CLASS.NAME`, as in its own output.
 * - mocha, jest, vitest, node:test: the titles in a row, `OUTER INNER NAME`, with or without the file in front.
 *   SWE-bench Pro has a bar between the file and the titles.
 * - cargo test: `FILE::MODULE::NAME`; for a file of `tests/` or `src/` of a member, the same without the member; the
 *   bare `MODULE::NAME` that cargo itself prints.
 * - go test: the bare `NAME/SUBTEST` that it prints.
 * - a test without a target, such as one of a printed log: its name.
 * - a test whose name contains the project's folder `root`: also with `/testbed` in its place.
 */
export function namesOf(framework: string, key: TestKey, root?: string): readonly string[] {
  const { target, name } = key;
  const names = new Set([formatTestKey(key), `${target}::${name}`]);
  if (target === "") names.add(name);
  if (["mocha", "jest", "vitest", "node-test"].includes(framework)) {
    const title = name.replaceAll(" > ", " ");
    names.add(title).add(`${target}::${title}`).add(`${target} > ${name}`).add(`${target} | ${title}`);
  }
  if (framework === "cargo-test" || framework === "go-test") names.add(name);
  if (framework === "unittest") for (const each of unittestNames(key)) names.add(each);
  return [...names, ...[...names].map((name) => portableId(name, root)).filter((name) => !names.has(name))];
}

/**
 * Returns the id with `/testbed`, the project's folder in SWE-bench's images, in place of this machine's folder.
 * Parameters of tests may contain this folder: `test_a[/testbed/tests/test_a.py]`.
 */
export function portableId(id: string, root: string | undefined): string {
  if (root === undefined || root.length < 2 || !id.includes(root)) return id;
  return id.replaceAll(new RegExp(`(?<![\\w./-])${literally(root)}(?![\\w.-])`, "g"), "/testbed");
}

function unittestNames({ target, name }: TestKey): string[] {
  const module = target.replace(/\.py$/, "").replaceAll("/", ".");
  const parts = name.split(/::|\./);
  const test = parts.pop() ?? "";
  const group = [module, ...parts].join(".");
  return [`${test} (${group})`, `${test} (${group}.${test})`, `${group}.${test}`];
}

/**
 * Finds the tests of a truncated id. SWE-bench truncated some parametrised ids inside their brackets, which then remain
 * open. Such an id means all tests with that prefix.
 */
function findTruncated(
  id: string,
  named: ReadonlyMap<string, ReadonlySet<TestOutcome>>,
): ReadonlySet<TestOutcome> {
  const found = new Set<TestOutcome>();
  if (id.split("[").length <= id.split("]").length) return found;
  for (const [name, outcomes] of named) {
    if (name.startsWith(id)) for (const outcome of outcomes) found.add(outcome);
  }
  return found;
}
