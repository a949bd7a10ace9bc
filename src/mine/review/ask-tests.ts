/** Checks the tests by execution: do they pass wrong variants of the fix, or reject right ones? */

import { readChange } from "../../agent/code/change.ts";
import { weighMutants } from "../../agent/kinds/target-strength.ts";
import { listMutants } from "../../agent/mutants/list-mutants.ts";
import { runMutantsOn } from "../../agent/mutants/run-mutants.ts";
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
import { findNewNames, type NewNames } from "./new-names.ts";
import { type Rewrite, rewriteFix } from "./rewrite-fix.ts";

export interface AskedTests {
  readonly change: Change;
  readonly split: Split;
  readonly validation: Validation;
  readonly version: string;
  readonly options: GradingOptions;
}

/** Throws MillwrightError for infrastructure, and AbortError. */
export async function askTests(asked: AskedTests): Promise<Finding[]> {
  const { split, validation, options } = asked;
  const open = await openTask(taskOf(asked, validation), options);
  try {
    const laid = await layPatch(open.workspace.trees, open.trees, split.goldPatch);
    if (!laid.ok)
      throw new Error(`the fix no longer applies, although it did in the validation: ${laid.message}`);
    const gold = laid.value.tree;
    const found = await withCheckout(open, (checkout) => open.plan(checkout, gold));
    const { runFiles } = validation;
    const plan: TestPlan =
      runFiles.length === 0 ? found : { ...found, selection: { kind: "files", files: runFiles } };
    const run = await withCheckout(open, (checkout) => open.run(checkout, gold, plan));
    const place = { asked, open, plan, gold, run };
    return [await judgeWeakness(place), ...(await judgeStrictness(place))];
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

const mostMutants = 12;
const mostTests = 200;
/** Milliseconds for all variants. */
const budgetMs = 240_000;
/** Share of wrong variants that tests must notice. */
const leastNoticed = 0.5;

async function judgeWeakness({ asked, open, plan, gold, run }: Place): Promise<Finding> {
  const { trees } = open.workspace;
  const change = await readChange(trees, { isWhole: isTestFile }, open.trees.tests, gold);
  const mutants = await listMutants(placesOf(change), mostMutants);
  const tests = chooseTests(asked.validation, run);
  const durationMs = run.outcomes.reduce((sum, outcome) => sum + outcome.durationMs, 0);
  const verdicts = await withTestBench(open, (bench) =>
    runMutantsOn(
      {
        ...{ bench, trees, durationMs, command: plan.command, framework: plan.framework },
        testTimeoutMs: Math.min(open.limits.testLimitMs, open.limits.limitMs),
      },
      { tree: gold, tests, mutants },
      budgetMs,
    ),
  );
  const { noticed, tried, missing } = weighMutants(mutants, verdicts);
  const [first] = missing;
  const score = tried === 0 ? 0.5 : noticed / tried;
  return {
    check: "weak-tests",
    score,
    isBad: tried > 1 && score < leastNoticed,
    reason: `${noticed} of ${countOf(tried, "wrong variant")} of the fix are noticed${first === undefined ? "" : `; ${first}`}`,
  };
}

/** Fail-to-pass tests come first, because they concern the fix. */
function chooseTests({ lists }: Validation, { outcomes }: TimedRun): TestKey[] {
  const keys = new Map(outcomes.map(({ key }) => [formatTestKey(key), key]));
  const ids = [...lists.failToPass, ...lists.passToPass];
  return ids.flatMap((id) => keys.get(id) ?? []).slice(0, mostTests);
}

async function judgeStrictness(place: Place): Promise<Finding[]> {
  const { asked, open, gold } = place;
  const trees = { store: open.workspace.trees, base: open.trees.base, gold };
  const names = await findNewNames(asked.change, asked.split, trees);
  const findings: Finding[] = [];
  for (const question of questionsOf(names)) {
    const failed = await failingWith(place, question.rewrite);
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
      check: "other-fixes",
      rewrite: { names: helpers, texts: [], movesLines: true },
      // Something outside of the repository may ask for the name: an interface that it implements.
      isBad: helpers.length === 0,
      holds: "the tests accept other names for helpers, and other lines",
      fails: "a fix that does the same on other lines, with other names for helpers, fails",
    },
  ];
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

/** Fail-to-pass tests that fail with the rewritten fix. */
async function failingWith({ asked, open, plan, gold, run }: Place, rewrite: Rewrite): Promise<string[]> {
  const tree = await rewriteFix(open.workspace.trees, gold, asked.split.codeFiles, rewrite);
  if (tree === gold) return [];
  const again = await withCheckout(open, (checkout) => open.run(checkout, tree, plan));
  const [before, after] = [statusFinder(run.outcomes), statusFinder(again.outcomes)];
  const keys = new Map(run.outcomes.map(({ key }) => [formatTestKey(key), key]));
  return asked.validation.lists.failToPass.filter((id) => {
    const key = keys.get(id);
    return key !== undefined && before(key) === "passed" && after(key) !== "passed";
  });
}
