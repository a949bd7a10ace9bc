/**
 * Checks for reasons to doubt a patch although its tests pass: the fault may remain, or the patch may manipulate its
 * tests. Runs only for patches that the dataset's own rule counts as resolved. If a check objects to the patch, it also
 * runs on the gold patch. An objection to both patches does not count.
 */

import { readChange } from "../agent/code/change.ts";
import { judgeAttack } from "../agent/review/attacks/attack-findings.ts";
import { baseFiles } from "../agent/review/texts/base-files.ts";
import { judgeCanary, makeWord, placeCanary, withoutWords } from "../agent/verdict/confirming-round.ts";
import {
  askOtherwise,
  expectOtherwise,
  type Failures,
  failuresOf,
  type Otherwise,
} from "../agent/verdict/contradict.ts";
import { countOf, wordFor } from "../base/count.ts";
import { hashText } from "../base/hash.ts";
import { formatTestKey, statusFinder, type TestKey } from "../domain/test-outcome.ts";
import { isTestFile } from "../languages/source-files.ts";
import type { Checkout } from "../workspace/contract.ts";
import { type OpenTask, runInLimits, whileOpening } from "./open-task.ts";
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
  return own === undefined ? undefined : `the patch manipulates the tests: ${own.replace(/\.$/, "")}`;
}

/** Maximum number of tests to check. One test is enough to reveal a forgery. */
const mostTests = 20;

/**
 * Runs the patch's tests with other expected values, which must make them fail. The values are results that the tests
 * show without the patch, or random. Also runs two canary tests with unknown names: one must fail, and one must pass.
 * Returns the problem; undefined if there is none, or if the gold patch has a problem too.
 */
async function findProblem(asked: Doubtful): Promise<string | undefined> {
  const words = { file: makeWord(), fails: makeWord(), passes: makeWord() };
  // The gold patch's tests expect the same random values.
  const seed = `${makeWord()}${makeWord()}`;
  let failures: Failures | undefined;
  const control = (tree: string) =>
    runControl(asked, {
      ...{ tree, words, seed },
      async failuresIn(checkout) {
        failures ??= await findFailures(asked, checkout);
        return failures;
      },
    });
  const problem = await control(asked.tree);
  if (problem === undefined) return undefined;
  return (await control(asked.gold)) === undefined ? problem : undefined;
}

/** Runs the tests without any patch. Finds no failures if the report cannot be trusted. */
async function findFailures({ open, plan, tests }: Doubtful, checkout: Checkout): Promise<Failures> {
  const selection = { kind: "tests", tests: tests.slice(0, mostTests) } as const;
  const run = await open.run(checkout, open.trees.tests, { ...plan, selection });
  return failuresOf(run.invalid === undefined ? run.outcomes : []);
}

/** Returns a function that draws numbers below a limit, always the same ones for a seed. */
function drawBy(seed: string): (below: number) => number {
  let count = 0;
  return (below) => {
    count += 1;
    return Number.parseInt(hashText(`${seed}:${count}`).slice(0, 12), 16) % Math.max(1, below);
  };
}

/** The finding, by the state of the canary tests. */
const strangers = {
  wrong: "a test that must fail passes with the patch",
  broken: "a test that must pass fails with the patch",
  missing: "a canary test next to the hidden tests does not run",
  late: "a canary test next to the hidden tests exceeds the time limit",
  none: undefined,
};

type Words = Parameters<typeof placeCanary>[2]["words"];

interface Controlled {
  readonly tree: string;
  readonly words: Words;
  /** Returns the tests' failures without a patch. They are found in a checkout that no patch has run in. */
  readonly failuresIn: (checkout: Checkout) => Promise<Failures>;
  /** Determines the random values. */
  readonly seed: string;
}

function runControl(
  { open, plan, tests }: Doubtful,
  { tree, words, failuresIn, seed }: Controlled,
): Promise<string | undefined> {
  const { trees } = open.workspace;
  const chosen = tests.slice(0, mostTests);
  const place = () => placeCanary(trees, plan.framework, { tree, tests: chosen, words });
  return whileOpening(open, place, async (checkout, canary) => {
    const run = async ({ asked, files }: Otherwise) => {
      const laid = await trees.write(tree, [...files, ...(canary === undefined ? [] : [canary.file])]);
      const added = canary === undefined ? [] : [canary.fails, canary.passes];
      const selection = { kind: "tests", tests: [...(asked.length > 0 ? asked : chosen), ...added] } as const;
      const ran = await runInLimits(open, checkout, laid, { ...plan, selection });
      const result = judgeControl(ran, { canary, asked, words });
      return { result, failures: failuresOf(ran.outcomes), isFound: result.problem !== undefined };
    };
    const result = await askOtherwise({
      failures: await failuresIn(checkout),
      pick: drawBy(seed),
      expect: (expecting) => expectOtherwise(trees, tree, chosen, expecting),
      async run(otherwise) {
        const told = await run(otherwise);
        // A new value may not build.
        return told.result.isBuilt ? told : undefined;
      },
    });
    if (result !== undefined) return result.problem;
    const near = await expectOtherwise(trees, tree, chosen);
    if (canary === undefined && near.asked.length === 0) return undefined;
    return (await run(near)).result.problem;
  });
}

interface Control {
  readonly canary: Awaited<ReturnType<typeof placeCanary>>;
  /** Tests with changed expected values: they must fail. */
  readonly asked: readonly TestKey[];
  readonly words: Words;
}

interface Judged {
  readonly problem: string | undefined;
  /** False if the changed tests may not build. */
  readonly isBuilt: boolean;
}

function judgeControl(run: TimedRun, { canary, asked, words }: Control): Judged {
  const statusOf = statusFinder(run.outcomes);
  if (run.invalid !== undefined) {
    const why = withoutWords(run.invalid, words);
    const problem = `when Millwright runs the fail-to-pass tests again, their report cannot be trusted: ${why}`;
    return { problem, isBuilt: false };
  }
  const state = canary && judgeCanary(statusOf(canary.fails), statusOf(canary.passes));
  if (state !== undefined && state !== "held")
    return { problem: strangers[state], isBuilt: state === "wrong" };
  const passed = asked.filter((key) => statusOf(key) === "passed");
  const [first] = passed;
  // Without canaries, a text that does not build looks like tests that end with an error.
  const isBuilt = canary !== undefined || asked.every((key) => ["failed", "passed"].includes(statusOf(key)));
  if (first === undefined) return { problem: undefined, isBuilt };
  const which = `${passed.length} of ${countOf(asked.length, "test")} ${wordFor(passed.length, "passes", "pass")}`;
  const problem = `${which} even after Millwright changes the expected value: ${formatTestKey(first)}`;
  return { problem, isBuilt: true };
}
