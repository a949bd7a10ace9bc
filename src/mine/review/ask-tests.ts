/** Checks the tests by execution: do they pass wrong variants of the fix, or reject right ones? */

import { readChange } from "../../agent/code/change.ts";
import { type Strength, weighMutants } from "../../agent/kinds/target-strength.ts";
import { listMutants, type Mutant } from "../../agent/mutants/list-mutants.ts";
import { type MutantVerdicts, runMutantsOn } from "../../agent/mutants/run-mutants.ts";
import { placesOf } from "../../agent/review/plan-mutants.ts";
import { countOf } from "../../base/count.ts";
import { layPatch } from "../../bench/graded-tree.ts";
import { type GradingOptions, type OpenTask, openTask, withCheckout } from "../../bench/open-task.ts";
import { withTestBench } from "../../bench/protocols/measuring-bench.ts";
import type { TestPlan, TimedRun } from "../../bench/task-tests.ts";
import { formatTestKey, statusFinder, type TestKey } from "../../domain/test-outcome.ts";
import { isTestFile } from "../../languages/source-files.ts";
import type { Change, Finding, Split, Validation } from "../contract.ts";
import { taskOf } from "../validate.ts";
import { judgeEnvironment } from "./leaked-environment.ts";
import { findNewNames, type NewNames } from "./new-names.ts";
import { changedLines } from "./patch-lines.ts";
import { type Rewrite, rewriteFix } from "./rewrite-fix.ts";

export interface AskedTests {
  readonly change: Change;
  readonly split: Split;
  readonly validation: Validation;
  readonly version: string;
  readonly options: GradingOptions;
}

/**
 * Judges a task by running its tests. Throws MillwrightError for an infrastructure error, and AbortError if the signal
 * stops it.
 */
export async function askTests(asked: AskedTests): Promise<Finding[]> {
  const { split, validation, options } = asked;
  const open = await openTask(taskOf(asked, validation), options);
  try {
    const laid = await layPatch(open.workspace.trees, open.trees, split.goldPatch);
    if (!laid.ok)
      throw new Error(`the fix no longer applies, although it did in the validation: ${laid.message}`);
    const gold = laid.value.tree;
    const whole = await withCheckout(open, (checkout) => open.plan(checkout, gold));
    const { runFiles } = validation;
    const plan: TestPlan =
      runFiles.length === 0 ? whole : { ...whole, selection: { kind: "files", files: runFiles } };
    const environment = await judgeEnvironment(open, split);
    if (environment.isBad) return [environment];
    const run = await withCheckout(open, (checkout) => open.run(checkout, gold, plan));
    const place = { asked, open, plan, gold, run };
    const found = [environment];
    for (const judge of [judgeLists, judgeSteadiness, judgeWeakness]) {
      found.push(await judge(place));
      if (found.at(-1)?.isBad === true) return found;
    }
    return [...found, ...(await judgeStrictness(place))];
  } finally {
    await open.close();
  }
}

interface Place {
  readonly asked: AskedTests;
  readonly open: OpenTask;
  readonly plan: TestPlan;
  /** The tree of tests and fix, with its test results. */
  readonly gold: string;
  readonly run: TimedRun;
}

/** A fail-to-pass test must fail before the fix, and pass with it. */
async function judgeLists({ asked, open, plan, run }: Place): Promise<Finding> {
  const { failToPass } = chooseTests(asked.validation, run);
  const unfixed = await withCheckout(open, (checkout) => open.run(checkout, open.trees.tests, plan));
  const [before, after] = [statusFinder(unfixed.outcomes), statusFinder(run.outcomes)];
  const wrong = failToPass.find((key) => before(key) === "passed" || after(key) !== "passed");
  const against =
    wrong &&
    `${formatTestKey(wrong)} ${before(wrong) === "passed" ? "passes before the fix" : "fails with the fix"}`;
  return decide("wrong-lists", against, "the fail-to-pass tests fail before the fix and pass with it");
}

/** A finding that is bad if something speaks against the task. `holds`: the reason of a good one. */
function decide(check: string, against: string | undefined, holds: string): Finding {
  const isBad = against !== undefined;
  return { check, score: isBad ? 0 : 1, isBad, reason: against ?? holds };
}

/** A test that fails in one of ten runs fails in these with a probability of 88 %. */
const mostRepeats = 20;
const repeatsMs = 60_000;

/**
 * Repeats the fail-to-pass tests with the fix, each time with another seed if the framework has one. The validation
 * repeats them too rarely to find a test that seldom fails.
 */
async function judgeSteadiness({ asked, open, plan, gold, run }: Place): Promise<Finding> {
  const listed = new Set(chooseTests(asked.validation, run).failToPass.map(formatTestKey));
  const before = statusFinder(run.outcomes);
  const end = performance.now() + repeatsMs;
  let repeats = 0;
  while (repeats < mostRepeats && performance.now() + 1000 * run.seconds < end) {
    repeats += 1;
    const seeded = { ...plan, variation: { env: { MILLWRIGHT_SEED: String(repeats) } } };
    const again = await withCheckout(open, (checkout) => open.run(checkout, gold, seeded));
    const other = again.outcomes.find(
      ({ key, status }) => listed.has(formatTestKey(key)) && status !== before(key),
    );
    if (other === undefined) continue;
    const told = `${formatTestKey(other.key)} is ${other.status} in repeat ${repeats} with the fix`;
    return decide("unsteady-tests", told, "");
  }
  const holds = `the fail-to-pass tests passed in each of ${countOf(repeats, "repeat")} with the fix`;
  return decide("unsteady-tests", undefined, holds);
}

const mostMutants = 12;
const mostTests = 200;
/** Milliseconds for all variants. */
const budgetMs = 240_000;
/** Share of wrong variants that tests must notice. */
const leastNoticed = 0.5;
/** Share that the fail-to-pass tests must notice, if there are enough: the others judge no part of the issue. */
const leastByOwn = 0.2;
const enoughVariants = 4;

async function judgeWeakness({ asked, open, plan, gold, run }: Place): Promise<Finding> {
  const { trees } = open.workspace;
  const change = await readChange(trees, { isWhole: isTestFile }, open.trees.tests, gold);
  const mutants = await listMutants(placesOf(change), mostMutants);
  const { failToPass, passToPass } = chooseTests(asked.validation, run);
  const durationMs = run.outcomes.reduce((sum, outcome) => sum + outcome.durationMs, 0);
  const { byOwn, byAll } = await withTestBench(open, async (bench) => {
    const on = {
      ...{ bench, trees, durationMs, command: plan.command, framework: plan.framework },
      testTimeoutMs: Math.min(open.limits.testLimitMs, open.limits.limitMs),
    };
    const notice = (tests: readonly TestKey[], list: readonly Mutant[]): Promise<MutantVerdicts> =>
      runMutantsOn(on, { tree: gold, tests, mutants: list }, budgetMs / 2);
    const own = await notice(failToPass, mutants);
    const left = mutants.filter((_, at) => own[at] === "survives");
    const rest = left.length === 0 || passToPass.length === 0 ? [] : await notice(passToPass, left);
    const others = rest.values();
    return {
      byOwn: own,
      byAll: own.map((verdict) => (verdict === "survives" ? (others.next().value ?? verdict) : verdict)),
    };
  });
  return weighVariants(weighMutants(mutants, byOwn), weighMutants(mutants, byAll));
}

/**
 * Judges the tests by the share of wrong variants of the fix that they notice. `own` counts for the fail-to-pass tests
 * alone; the second argument counts for all listed tests.
 */
export function weighVariants(
  own: Pick<Strength, "noticed" | "tried">,
  { noticed, tried, missing }: Pick<Strength, "noticed" | "tried" | "missing">,
): Finding {
  const [first] = missing;
  const score = tried === 0 ? 0.5 : noticed / tried;
  const isBlind = own.tried >= enoughVariants && own.noticed / own.tried < leastByOwn;
  return {
    check: "weak-tests",
    score: isBlind ? Math.min(score, own.noticed / own.tried) : score,
    isBad: isBlind || (tried > 1 && score < leastNoticed),
    reason: `the tests notice ${noticed} of ${countOf(tried, "wrong variant")} of the fix; the fail-to-pass tests alone notice ${own.noticed}${first === undefined ? "" : `; ${first}`}`,
  };
}

interface ChosenTests {
  readonly failToPass: readonly TestKey[];
  readonly passToPass: readonly TestKey[];
}

/** At most `mostTests` together. */
function chooseTests({ lists }: Validation, { outcomes }: TimedRun): ChosenTests {
  const keys = new Map(outcomes.map(({ key }) => [formatTestKey(key), key]));
  const find = (ids: readonly string[], most: number): TestKey[] =>
    ids.flatMap((id) => keys.get(id) ?? []).slice(0, most);
  const failToPass = find(lists.failToPass, mostTests);
  return { failToPass, passToPass: find(lists.passToPass, mostTests - failToPass.length) };
}

async function judgeStrictness(place: Place): Promise<Finding[]> {
  const { asked, open, gold } = place;
  const trees = { store: open.workspace.trees, base: open.trees.base, gold };
  const names = await findNewNames(asked.change, asked.split, trees);
  const findings: Finding[] = [await judgeOtherFiles(place)];
  for (const question of questionsOf(names)) {
    const { codeFiles: files, goldPatch } = asked.split;
    const lines = new Set(changedLines(goldPatch, files).added);
    const rewritten = await rewriteFix(trees.store, gold, { files, lines }, question.rewrite);
    const failed = await failingWith(place, rewritten);
    const [first] = failed;
    findings.push({
      check: question.check,
      score: first === undefined ? 1 : question.isBad ? 0 : 0.5,
      isBad: question.isBad && first !== undefined,
      reason: first === undefined ? question.holds : `${question.fails}: ${first}`,
    });
  }
  return findings;
}

interface Question {
  readonly check: string;
  readonly rewrite: Rewrite;
  /** A failure makes the task unfair. */
  readonly isBad: boolean;
  readonly holds: string;
  readonly fails: string;
}

function questionsOf({ unstated, helpers, texts }: NewNames): Question[] {
  const questions: Question[] = [
    {
      check: "strict-layout",
      rewrite: { names: [], texts: [], movesLines: true },
      isBad: true,
      holds: "the tests accept the fix in another layout",
      fails: "the tests require the layout of the fix: they read its text, or line numbers",
    },
  ];
  if (helpers.length > 0)
    questions.push({
      check: "other-fixes",
      rewrite: { names: helpers, texts: [], movesLines: false },
      // Something outside of the repository may ask for the name: an interface that it implements.
      isBad: false,
      holds: "the tests accept other names for helpers",
      fails: "the tests reject the fix with other names for helpers",
    });
  const shown = (list: readonly string[]): string => list.slice(0, 4).join(", ");
  if (unstated.length > 0)
    questions.push({
      check: "strict-names",
      rewrite: { names: unstated, texts: [], movesLines: false },
      isBad: true,
      holds: `the tests accept other names for ${shown(unstated)}`,
      fails: `the tests require names that the statement does not mention (${shown(unstated)})`,
    });
  if (texts.length > 0)
    questions.push({
      check: "strict-texts",
      rewrite: { names: [], texts, movesLines: false },
      isBad: true,
      holds: "the tests accept other message texts",
      fails: `the tests require message texts that the statement does not mention (${shown(texts)})`,
    });
  return questions;
}

/** Files that describe the project or its versions, and decide no behaviour. */
const describing =
  /(?:^|\/)(?:pyproject\.toml|setup\.cfg|package\.json|Cargo\.toml|composer\.json)$|\.(?:gemspec|md|rst|txt|lock)$/i;

export function isDescribing(path: string): boolean {
  return describing.test(path);
}

/** Undoes the fix's changes of files that decide no behaviour: without them, a right fix has to pass. */
async function judgeOtherFiles(place: Place): Promise<Finding> {
  const { open, gold } = place;
  const { trees } = open.workspace;
  const changed = await trees.stat(open.trees.tests, gold);
  const paths = changed.map(({ path }) => path).filter(isDescribing);
  const undone = await Promise.all(
    paths.map(async (path) => ({ path, content: (await trees.read(open.trees.tests, path)) ?? null })),
  );
  const tree = paths.length === 0 ? gold : await trees.write(gold, undone);
  const [first] = await failingWith(place, tree);
  const against =
    first === undefined ? undefined : `the tests require changes of ${paths.join(", ")}: ${first}`;
  return decide(
    "strict-files",
    against,
    "the tests require no change of a file that only describes the project",
  );
}

/** Fail-to-pass tests that fail with a right variant of the fix. */
async function failingWith({ asked, open, plan, gold, run }: Place, tree: string): Promise<string[]> {
  if (tree === gold) return [];
  const again = await withCheckout(open, (checkout) => open.run(checkout, tree, plan));
  const [before, after] = [statusFinder(run.outcomes), statusFinder(again.outcomes)];
  const keys = new Map(run.outcomes.map(({ key }) => [formatTestKey(key), key]));
  return asked.validation.lists.failToPass.filter((id) => {
    const key = keys.get(id);
    return key !== undefined && before(key) === "passed" && after(key) !== "passed";
  });
}
