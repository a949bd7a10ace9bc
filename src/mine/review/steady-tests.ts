/** Checks the lists of tests, and whether the tests give the same results in each run. */

import { listHelpers, listTestBodies, type TestBody } from "../../agent/code/test-bodies.ts";
import { countOf } from "../../base/count.ts";
import { type OpenTask, withCheckout } from "../../bench/open-task.ts";
import type { RunVariation, TestPlan, TimedRun } from "../../bench/task-tests.ts";
import { formatTestKey, statusFinder, type TestKey } from "../../domain/test-outcome.ts";
import type { Finding, Validation } from "../contract.ts";
import { judgeStates } from "../judge-states.ts";
import { shiftedDates } from "../shifted-date.ts";
import { unstableIn } from "../validate.ts";
import { findCalendarSums } from "./calendar-sums.ts";
import { findChance, type Helper, withHelpers } from "./chance.ts";
import { changedLines } from "./patch-lines.ts";
import { chooseTests, decide, type Place } from "./place.ts";

type Lists = Validation["lists"];

/**
 * Checks the lists. Each fail-to-pass test must fail before the fix and pass with it. Each pass-to-pass test must pass
 * in both runs. The lists must contain all tests that fail only before the fix.
 */
export async function judgeLists(place: Place): Promise<Finding> {
  const { asked, open, plan, gold, run } = place;
  const { lists } = asked.validation;
  const isUnstable = unstableIn(asked.split);
  const compare = (unfixed: TimedRun, fixed: TimedRun): string[] => {
    const states = judgeStates({ base: [unfixed], tests: [unfixed], gold: [fixed] }, isUnstable);
    const [before, after] = [statusFinder(unfixed.outcomes), statusFinder(fixed.outcomes)];
    const keys = new Map(
      [...unfixed.outcomes, ...fixed.outcomes].map(({ key }) => [formatTestKey(key), key]),
    );
    const passes = (id: string) => {
      const key = keys.get(id);
      const passed = (status: string): boolean => status === "passed" || status === "expected-failure";
      return key === undefined
        ? { before: false, after: false }
        : { before: passed(before(key)), after: passed(after(key)) };
    };
    return compareLists(lists, states.verdict === "kept" ? states.value.lists : undefined, passes);
  };
  const runOn = (tree: string): Promise<TimedRun> =>
    withCheckout(open, (checkout) => open.run(checkout, tree, plan));
  const first = compare(await runOn(open.trees.tests), run);
  // A test that sometimes fails does not make the lists wrong.
  const again = first.length === 0 ? [] : compare(await runOn(open.trees.tests), await runOn(gold));
  const against = first.find((each) => again.includes(each));
  return decide(
    "wrong-lists",
    against,
    "the lists contain the tests that the fix repairs, and tests that always pass",
  );
}

/** Describes the errors in the lists. `computed`: the lists computed from one run of each tree, if any. */
export function compareLists(
  listed: Lists,
  computed: Lists | undefined,
  passes: (id: string) => { readonly before: boolean; readonly after: boolean },
): string[] {
  const wrong = listed.failToPass.flatMap((id) => {
    if (passes(id).before) return [`${id} passes before the fix`];
    return passes(id).after ? [] : [`${id} fails with the fix`];
  });
  const broken = listed.passToPass.flatMap((id) => {
    if (!passes(id).after) return [`the lists say that ${id} passes, but it fails with the fix`];
    return passes(id).before ? [] : [`the lists say that ${id} passes, but it fails before the fix`];
  });
  const all = new Set([...listed.failToPass, ...listed.passToPass, ...listed.flaky]);
  const missing = (computed?.failToPass ?? []).filter((id) => !all.has(id));
  return [
    ...wrong,
    ...broken,
    ...missing.map((id) => `${id} fails only before the fix, but the lists lack it`),
  ];
}

interface Repeats {
  readonly most: number;
  /** Time limit for all runs together, in milliseconds. */
  readonly ms: number;
}

/**
 * Repetitions of tests without a sign of chance. They find a test that fails in one of ten runs with a probability of
 * 92 %.
 */
const repeatsOfAny: Repeats = { most: 24, ms: 60_000 };
/**
 * Repetitions of tests with a sign of chance. They find a test that fails in one of ten runs with a probability of 99.8
 * %.
 */
const repeatsOfChance: Repeats = { most: 60, ms: 180_000 };
const mostAlone = 3;

interface Variation {
  readonly variation: RunVariation;
  readonly selection?: TestPlan["selection"];
  /** The variation in words, such as `in another order`. */
  readonly told: string;
}

/**
 * Repeats the fail-to-pass tests with the fix: each test alone, in another order, and on other dates. Each run has
 * another seed, if the framework supports seeds. The validation's few repeats miss tests that fail rarely.
 */
export async function judgeSteadiness(place: Place): Promise<Finding> {
  const { asked, run } = place;
  const { failToPass } = chooseTests(asked.validation, run);
  const sum = await findSign(place, failToPass, tellCalendarSum);
  if (sum !== undefined) return decide("unsteady-tests", sum, "");
  const sign = await findSign(place, failToPass, tellChance);
  const limit = sign === undefined ? repeatsOfAny : repeatsOfChance;
  const end = performance.now() + limit.ms;
  const { dates, missing } = shiftedDates();
  const once: Variation[] = [
    { variation: { varied: true }, told: "in another order" },
    ...failToPass.slice(0, failToPass.length > 1 ? mostAlone : 1).map((test) => ({
      variation: {},
      selection: { kind: "tests" as const, tests: [test] },
      told: "without the other tests",
    })),
    ...dates,
  ];
  const ran = new Set<string>();
  const left = new Set(once.map(({ told }) => told));
  for (const each of once) {
    if (performance.now() + 1000 * run.seconds > end) break;
    ran.add(each.told);
    left.delete(each.told);
    const other = await findOther(place, failToPass, each);
    if (other !== undefined) return decide("unsteady-tests", `${other} ${each.told}`, "");
  }
  const { other, repeats } = await repeatTests(place, failToPass, { most: limit.most, end });
  if (other !== undefined) return decide("unsteady-tests", other, "");
  return tellSteady({ ran: [...ran], left: [...left], repeats, missing, sign });
}

interface Repeated {
  readonly repeats: number;
  /** The reason why the tests are flaky. */
  readonly other?: string;
}

async function repeatTests(
  place: Place,
  tests: readonly TestKey[],
  { most, end }: { readonly most: number; readonly end: number },
): Promise<Repeated> {
  let repeats = 0;
  while (repeats < most && performance.now() + 1000 * place.run.seconds < end) {
    // Two at once: some tests fail only on a busy machine.
    const seeds = [repeats + 1, repeats + 2].map(String);
    const others = await Promise.all(
      seeds.map((seed) => {
        const variation = { env: { MILLWRIGHT_SEED: seed, PYTHONHASHSEED: seed } };
        return findOther(place, tests, { variation, told: "" });
      }),
    );
    repeats += seeds.length;
    const other = others.find((each) => each !== undefined);
    if (other !== undefined)
      return { repeats, other: `${other} in one of the repeats ${seeds.join(" and ")} with the fix` };
  }
  return { repeats };
}

interface SteadyRuns {
  /** The variations that ran, such as `in another order`. */
  readonly ran: readonly string[];
  /** The variations that did not run, because there was no time left. */
  readonly left: readonly string[];
  readonly repeats: number;
  /** The reason why no run used other dates. */
  readonly missing: string | undefined;
  /** The reason why a test may depend on chance. */
  readonly sign: string | undefined;
}

/** Returns the finding for tests with the same results in all runs. */
export function tellSteady({ ran, left, repeats, missing, sign }: SteadyRuns): Finding {
  const passed = [...ran, ...(repeats === 0 ? [] : [`in ${countOf(repeats, "repeat")}`])];
  const late = [...left, ...(repeats === 0 ? ["repeats"] : [])];
  const reasons = [
    passed.length === 0 ? [] : [`the fail-to-pass tests passed ${listed(passed, " and ")} with the fix`],
    late.length === 0
      ? []
      : [`there was no time for ${left.length === 0 ? "" : "runs "}${listed(late, ", or ")}`],
    missing ?? [],
    sign ?? [],
  ].flat();
  const isDoubtful = passed.length === 0 || sign !== undefined;
  return { ...decide("unsteady-tests", undefined, reasons.join("; ")), score: isDoubtful ? 0.5 : 1 };
}

function listed(items: readonly string[], last: string): string {
  return [items.slice(0, -1).join(", "), ...items.slice(-1)].filter((each) => each !== "").join(last);
}

/** Finds a listed test whose result has changed. */
async function findOther(
  { open, plan, gold, run }: Place,
  listed: readonly TestKey[],
  { variation, selection = plan.selection }: Variation,
): Promise<string | undefined> {
  const ids = new Set(listed.map(formatTestKey));
  const before = statusFinder(run.outcomes);
  const again = await runVaried(open, gold, { ...plan, selection, variation });
  const other = again.outcomes.find(
    ({ key, status }) => ids.has(formatTestKey(key)) && status !== "not-run" && status !== before(key),
  );
  return other && `${formatTestKey(other.key)} has the result ${other.status}`;
}

function runVaried(open: OpenTask, tree: string, plan: TestPlan): Promise<TimedRun> {
  return withCheckout(open, (checkout) => open.run(checkout, tree, plan));
}

interface ReadTest {
  /** The file's path and the name of the test's function. */
  readonly name: string;
  /** The text of the test's own lines. */
  readonly own: string;
  /** The text of the test's whole file. */
  readonly file: string;
  readonly helpers: readonly Helper[];
  /** The lines that the test patch adds to the test's file, without their indentation. */
  readonly added: ReadonlySet<string>;
}

/** Finds the first fail-to-pass test with a sign of dependence, and returns the sign. */
async function findSign(
  { asked, open, gold }: Place,
  listed: readonly TestKey[],
  tell: (test: ReadTest) => string | undefined,
): Promise<string | undefined> {
  const { testPatch, testFiles } = asked.split;
  for (const path of testFiles) {
    const added = new Set(changedLines(testPatch, [path]).added);
    const file = (await open.workspace.trees.read(gold, path))?.toString("utf8") ?? "";
    const lines = file.split("\n");
    const textOf = ({ startLine, endLine }: TestBody): string =>
      lines.slice(startLine - 1, endLine).join("\n");
    const helpers = (await listHelpers(path, file)).map((each) => ({ name: each.name, text: textOf(each) }));
    for (const body of await listTestBodies(path, file)) {
      if (!listed.some(({ name }) => name.includes(body.name))) continue;
      const name = `${path}::${body.name}`;
      const told = tell({ name, own: textOf(body), file, helpers, added });
      if (told !== undefined) return told;
    }
  }
  return undefined;
}

/** Names changed lines that count days or months of the current date by hand. */
function tellCalendarSum({ name, own, added }: ReadTest): string | undefined {
  const [sum] = findCalendarSums(own).filter((line) => added.has(line));
  return sum && `${name} depends on the day of the run: ${sum}`;
}

function tellChance({ name, own, file, helpers }: ReadTest): string | undefined {
  const line = findChance(withHelpers(own, helpers), file);
  return line && `${name} may depend on chance: ${line}`;
}
