/** Matches the ids in a task's lists with the tests of a run. */
import { formatTestKey, type TestKey, type TestOutcome, type TestStatus } from "../domain/test-outcome.ts";

export interface MatchedIds {
  /** The status of each id that matches a test of the run. */
  readonly statuses: ReadonlyMap<string, TestStatus>;
  /** Ids that match no test of the run. */
  readonly unmatched: readonly string[];
  /** Ids that match several tests; the worst of their statuses counts. */
  readonly ambiguous: readonly string[];
}

/** From the status that a list prefers to the one it accepts least. */
const order: readonly TestStatus[] = [
  "passed",
  "expected-failure",
  "skipped",
  "not-run",
  "errored",
  "timed-out",
  "failed",
];

/** Matches ids with tests. `cutIds`: true if an id may be truncated; see `findTruncated`. */
export function matchIds(
  framework: string,
  ids: readonly string[],
  outcomes: readonly TestOutcome[],
  cutIds = true,
): MatchedIds {
  const named = nameOutcomes(framework, outcomes);
  const statuses = new Map<string, TestStatus>();
  const unmatched: string[] = [];
  const ambiguous: string[] = [];
  for (const id of ids) {
    const whole = named.get(id);
    const moved = whole ?? findMoved(id, named);
    const found = moved ?? (cutIds ? findTruncated(id, named) : new Set<TestOutcome>());
    if (found.size > 1) ambiguous.push(id);
    const all = [...found].map((outcome) => outcome.status);
    const status = whole === undefined && isTorn(all) && worst(all) === "skipped" ? "not-run" : worst(all);
    if (status === undefined) unmatched.push(id);
    else statuses.set(id, status);
  }
  return { statuses, unmatched, ambiguous };
}

/** The tests of a run that match the ids. */
export function findTests(
  framework: string,
  ids: readonly string[],
  outcomes: readonly TestOutcome[],
): TestOutcome[] {
  const named = nameOutcomes(framework, outcomes);
  const find = (id: string) => named.get(id) ?? findMoved(id, named) ?? findTruncated(id, named);
  return [...new Set(ids.flatMap((id) => [...find(id)]))];
}

export function worst(statuses: readonly TestStatus[]): TestStatus | undefined {
  return [...statuses].sort((a, b) => order.indexOf(b) - order.indexOf(a))[0];
}

/**
 * If only some tests of a truncated id pass, it is not a success, as in SWE-bench's report, even if a skipped test
 * would count as one.
 */
function isTorn(statuses: readonly TestStatus[]): boolean {
  const isPassing = (status: TestStatus): boolean => status === "passed" || status === "expected-failure";
  return statuses.some(isPassing) && !statuses.every(isPassing);
}

function nameOutcomes(framework: string, outcomes: readonly TestOutcome[]) {
  const named = new Map<string, Set<TestOutcome>>();
  for (const outcome of outcomes) {
    for (const name of namesOf(framework, outcome.key)) {
      const known = named.get(name);
      if (known === undefined) named.set(name, new Set([outcome]));
      else known.add(outcome);
    }
  }
  return named;
}

/**
 * The ids by which lists of tests may name a test: our own key, and the notations of each framework.
 * - pytest: the node id `FILE::CLASS::NAME[PARAMETERS]`, which is our key.
 * - unittest: `NAME (MODULE.CLASS)` and `MODULE.CLASS.NAME`, as in its own output.
 * - mocha, jest, vitest, node:test: the titles in a row, `OUTER INNER NAME`, with or without the file in front.
 *   SWE-bench Pro has a bar between the file and the titles.
 * - cargo test: `FILE::MODULE::NAME`; for a file of `tests/` or `src/` of a member, the same without the member; the
 *   bare `MODULE::NAME` that cargo itself prints.
 * - go test: the bare `NAME/SUBTEST` that it prints.
 * - a test without a target, such as one of a printed log: its name.
 */
export function namesOf(framework: string, key: TestKey): readonly string[] {
  const { target, name } = key;
  const names = new Set([formatTestKey(key), `${target}::${name}`]);
  if (target === "") names.add(name);
  if (["mocha", "jest", "vitest", "node-test"].includes(framework)) {
    const title = name.replaceAll(" > ", " ");
    names.add(title).add(`${target}::${title}`).add(`${target} > ${name}`).add(`${target} | ${title}`);
  }
  if (framework === "cargo-test" || framework === "go-test") names.add(name);
  if (framework === "unittest") for (const each of unittestNames(key)) names.add(each);
  return [...names];
}

function unittestNames({ target, name }: TestKey): string[] {
  const module = target.replace(/\.py$/, "").replaceAll("/", ".");
  const parts = name.split(/::|\./);
  const test = parts.pop() ?? "";
  const group = [module, ...parts].join(".");
  return [`${test} (${group})`, `${test} (${group}.${test})`, `${group}.${test}`];
}

/**
 * SWE-bench truncated some parametrised ids inside their brackets, which then remain open. Such an id means all tests
 * with that prefix.
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

/** `/testbed/tests/test_a.py` in the parameters of a test. */
const absolutePath = /(?<![\w.:/-])(?:\/[\w.@+-]+){2,}/g;

/**
 * Finds a test whose parameters contain a path of the project's folder, such as `test_a[/testbed/tests/test_a.py]`. The
 * folder is another one on each machine: the paths must end alike, and the rest must be equal.
 */
function findMoved(
  id: string,
  named: ReadonlyMap<string, ReadonlySet<TestOutcome>>,
): ReadonlySet<TestOutcome> | undefined {
  const wanted = pathsIn(id);
  if (wanted.length === 0) return undefined;
  const shape = shapeOf(id);
  const alike = [...named].filter(([name]) => shapeOf(name) === shape);
  const tails = alike.map(([name]) => pathsIn(name).map((path, at) => commonTail(path, wanted[at] ?? "")));
  const lengths = tails.map((each) => each.reduce((sum, length) => sum + length, 0));
  const longest = Math.max(...lengths);
  const closest = alike.filter((_, at) => lengths[at] === longest);
  return closest.length === 1 ? closest[0]?.[1] : undefined;
}

function pathsIn(id: string): string[] {
  return id.match(absolutePath) ?? [];
}

/** The id with the last name of each path alone. */
function shapeOf(id: string): string {
  return id.replaceAll(absolutePath, (path) => `/…${path.slice(path.lastIndexOf("/"))}`);
}

/** The number of names at the end that two paths share. */
function commonTail(a: string, b: string): number {
  const [first, second] = [a.split("/").reverse(), b.split("/").reverse()];
  const differs = first.findIndex((name, at) => name !== second[at]);
  return differs === -1 ? first.length : differs;
}
