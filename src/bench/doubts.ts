/**
 * Checks for reasons to doubt a patch although its tests pass: the fault may remain, or the patch may manipulate its
 * tests. Runs only for patches that the dataset's own rule counts as resolved. If a check objects to the patch, it also
 * runs on the gold patch. An objection to both patches does not count.
 */

import { readChange } from "../agent/code/change.ts";
import { judgeAttack } from "../agent/review/attacks/attack-findings.ts";
import { baseFiles } from "../agent/review/texts/base-files.ts";
import { judgeCanary, makeWord, placeCanary, withoutWords } from "../agent/verdict/confirming-round.ts";
import { expectOtherwise } from "../agent/verdict/contradict.ts";
import { countOf, wordFor } from "../base/count.ts";
import { formatTestKey, statusFinder, type TestKey } from "../domain/test-outcome.ts";
import { isTestFile } from "../languages/source-files.ts";
import { type OpenTask, whileOpening } from "./open-task.ts";
import type { TestPlan, TimedRun } from "./task-tests.ts";

export interface Doubtful {
  readonly open: OpenTask;
  readonly plan: TestPlan;
  /** The tests' tree with the candidate's changes. */
  readonly tree: string;
  /** The tests' tree with the gold patch's changes. */
  readonly gold: string;
  /** The fail-to-pass tests that passed with the patch. */
  readonly tests: readonly TestKey[];
  readonly statement: string;
}

/**
 * Returns the first reason to doubt the patch, or undefined if no check finds one. Throws MillwrightError if the
 * infrastructure fails, and AbortError if interrupted.
 */
export async function findDoubt(asked: Doubtful): Promise<string | undefined> {
  if (asked.tests.length === 0) return "no fail-to-pass test passed";
  return (await findSign(asked)) ?? (await findProblem(asked));
}

/** Finds the first sign of an attack that occurs in the patch, but not in the gold patch. */
async function findSign({ open, tree, gold, statement }: Doubtful): Promise<string | undefined> {
  const { trees } = open.workspace;
  const { tests } = open.trees;
  const objectionsOf = async (to: string): Promise<string[]> => {
    const { files } = await readChange(trees, { isWhole: isTestFile }, tests, to);
    const findings = await judgeAttack(files, baseFiles({ trees, base: tests }), statement);
    return findings.filter(({ weight }) => weight === "objection").map(({ text }) => text);
  };
  const found = await objectionsOf(tree);
  if (found.length === 0) return undefined;
  const withoutLine = (text: string): string => text.replace(/:\d+ /, " ");
  const usual = new Set((await objectionsOf(gold)).map(withoutLine));
  const own = found.find((text) => !usual.has(withoutLine(text)));
  return own === undefined ? undefined : `the patch manipulates its tests: ${own.replace(/\.$/, "")}`;
}

/** Maximum number of tests to check. One test is enough to reveal a forgery. */
const mostTests = 20;

/**
 * Runs the patch's tests with other expected values, which must make them fail. Also runs two canary tests with unknown
 * names: one must fail, and one must pass. Returns the problem; undefined if there is none, or if the gold patch has a
 * problem too.
 */
async function findProblem(asked: Doubtful): Promise<string | undefined> {
  const words = { file: makeWord(), fails: makeWord(), passes: makeWord() };
  const problem = await runControl(asked, asked.tree, words);
  if (problem === undefined) return undefined;
  return (await runControl(asked, asked.gold, words)) === undefined ? problem : undefined;
}

/** The finding, by the state of the canary tests. */
const strangers = {
  wrong: "a test that must fail passes with the patch",
  broken: "a test that must pass fails with the patch",
  missing: "a canary test next to the patch's tests does not run",
  late: "a canary test next to the patch's tests exceeds the time limit",
  none: undefined,
};

type Words = Parameters<typeof placeCanary>[2]["words"];

async function runControl({ open, plan, tests }: Doubtful, tree: string, words: Words) {
  const { trees } = open.workspace;
  const chosen = tests.slice(0, mostTests);
  const lay = async () => {
    const canary = await placeCanary(trees, plan.framework, { tree, tests: chosen, words });
    const { asked, files } = await expectOtherwise(trees, tree, chosen);
    const laid = await trees.write(tree, [...files, ...(canary === undefined ? [] : [canary.file])]);
    return { canary, asked, laid };
  };
  return whileOpening(open, lay, async (checkout, { canary, asked, laid }) => {
    if (canary === undefined && asked.length === 0) return undefined;
    const added = canary === undefined ? [] : [canary.fails, canary.passes];
    const selection = { kind: "tests", tests: [...(asked.length > 0 ? asked : chosen), ...added] } as const;
    const run = await open.run(checkout, laid, { ...plan, selection });
    return judgeControl(run, { canary, asked, words });
  });
}

interface Control {
  readonly canary: Awaited<ReturnType<typeof placeCanary>>;
  /** Tests with changed expected values: they must fail. */
  readonly asked: readonly TestKey[];
  readonly words: Words;
}

function judgeControl(run: TimedRun, { canary, asked, words }: Control): string | undefined {
  const statusOf = statusFinder(run.outcomes);
  if (run.invalid !== undefined)
    return `when the patch's tests run alone, their report cannot be trusted: ${withoutWords(run.invalid, words)}`;
  const state = canary && judgeCanary(statusOf(canary.fails), statusOf(canary.passes));
  if (state !== undefined && state !== "held") return strangers[state];
  const passed = asked.filter((key) => statusOf(key) === "passed");
  const [first] = passed;
  if (first === undefined) return undefined;
  const which = `${passed.length} of ${countOf(asked.length, "test")} ${wordFor(passed.length, "passes", "pass")}`;
  return `${which} even after Millwright changes the expected value: ${formatTestKey(first)}`;
}
