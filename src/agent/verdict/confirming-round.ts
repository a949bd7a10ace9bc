/** Performs one run of a confirmation: the deciding tests, a test that must fail, and a test that must pass. */

import { randomInt } from "node:crypto";
import { formatTestKey, statusFinder, type TestKey, type TestStatus } from "../../domain/test-outcome.ts";
import type { Canary, CanaryRequest, TestFramework } from "../../languages/contract.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { Surroundings } from "../../workspace/surroundings.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { moreTime } from "../../workspace/time-outs.ts";
import type { Claim } from "../kinds/contract.ts";
import { testTimeoutOf } from "../measure/measure-suite.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import { findComparedData } from "./compared-data.ts";
import { askOtherwise, expectOtherwise, type Failures, failuresOf, type Otherwise } from "./contradict.ts";
import type { ConfirmingRun } from "./judge-confirmation.ts";

export interface Round {
  readonly tree: string;
  readonly patched: boolean;
  /** True for a run in varied conditions, as far as the framework supports variation. */
  readonly varied: boolean;
  /** The environment variables and standard input of the run. Default: a bare environment and a closed standard input. */
  readonly surroundings?: Surroundings;
  /** True for a run with other expected values, where possible. */
  readonly otherwise?: true;
  /** True for a run of the base's own tests. Its changes excuse the same changes in the patch's run. */
  readonly own?: true;
}

type Words = CanaryRequest["words"];

export interface Place {
  readonly executor: TestExecutor;
  readonly framework: TestFramework;
  readonly deadline: number;
  /** The random words in the canaries' names. Undefined: runs without canaries. */
  readonly words: Words | undefined;
}

export interface RoundContext extends Pick<StrategyContext, "workspace" | "frameworks"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "own">;
}

export async function runRound(
  context: RoundContext,
  claim: Pick<Claim, "tests">,
  round: Round,
  place: Place,
): Promise<ConfirmingRun> {
  return (await measureRound(context, claim, round, place)).run;
}

/** Measures a round. Also returns the failures of the round's tests, which the run does not record. */
export async function measureRound(
  context: RoundContext,
  { tests }: Pick<Claim, "tests">,
  { tree, patched, varied, own, surroundings }: Round,
  { executor, framework, deadline, words }: Place,
): Promise<{ readonly run: ConfirmingRun; readonly failures: Failures }> {
  const { workspace, suite } = context;
  const { trees } = workspace;
  const canary =
    words === undefined ? undefined : await placeCanary(trees, framework, { tree, tests, words });
  const added = canary === undefined ? [] : [canary.fails, canary.passes];
  const laid = canary === undefined ? tree : await trees.write(tree, [canary.file]);
  const run = (patience: number): Promise<TestRun> =>
    executor.run(suite.command, {
      tree: laid,
      selection: { kind: "tests", tests: [...tests, ...added] },
      testTimeoutMs: patience * testTimeoutOf(suite),
      timeoutMs: Math.max(1, deadline - performance.now()),
      varied,
      surroundings,
    });
  const canaryOf = (ran: TestRun): ConfirmingRun["canary"] =>
    canary === undefined ? "none" : readCanary(ran, canary, tests);
  const once = await run(1);
  const earlierOf = statusFinder(once.report.outcomes);
  // The usual limit comes from the base's tests. A new test may need more time.
  const isSlow = patched && tests.some((key) => earlierOf(key) === "timed-out");
  const first = canaryOf(once);
  const isAgain = (first === "late" || (isSlow && first !== "wrong")) && performance.now() < deadline;
  const damaged = executor.damaged();
  const ran = isAgain ? await run(moreTime) : once;
  const { outcomes, invalid } = ran.report;
  // A repetition with more time excuses no change of the first run.
  const changes = new Set([once, ran].flatMap(({ report }) => report.frameworkChanges ?? []));
  const paths = [...new Set([...damaged, ...executor.damaged()])];
  const dataChanges = await findComparedData(context, { tree, tests, own }, paths);
  const laterOf = statusFinder(outcomes);
  // A repetition with more time gives a failing patch no second try.
  const statusOf = (key: TestKey): TestStatus =>
    patched && ["failed", "errored"].includes(earlierOf(key)) ? earlierOf(key) : laterOf(key);
  // An empty target: the report does not name the file.
  const targets = new Set(["", ...tests.map(({ target }) => target)]);
  const broken = outcomes
    .filter(({ key, status }) => key.name === "" && targets.has(key.target) && status === "errored")
    .map(({ key }) => key.target);
  const confirming: ConfirmingRun = {
    patched,
    varied,
    outcomes: tests.map((key) => ({ key, status: statusOf(key) })),
    ...(broken.length === 0 ? {} : { broken }),
    ...(invalid === undefined ? {} : { invalid: withoutWords(invalid, words) }),
    ...(changes.size > 0 && { frameworkChanges: [...changes].map((each) => withoutWords(each, words)) }),
    ...(dataChanges.length === 0 ? {} : { dataChanges }),
    canary: canaryOf(ran),
  };
  return { run: confirming, failures: failuresOf(outcomes) };
}

/** If one of `tests` exceeded its time, or none began, the missing results of the canaries are the tests' fault. */
function readCanary(
  { report: { outcomes }, end }: TestRun,
  { fails, passes }: Canary,
  tests: readonly TestKey[],
): ConfirmingRun["canary"] {
  const statusOf = statusFinder(outcomes);
  const statuses = tests.map(statusOf);
  const isStopped = statuses.includes("timed-out") || statuses.every((status) => status === "not-run");
  return judgeCanary(statusOf(fails), statusOf(passes), end === "timed-out" && !isStopped);
}

/**
 * Runs tests with other expected values (see `askOtherwise`). The tests must fail. Returns undefined if the rounds
 * prove nothing:
 * - no test has a changeable expected value
 * - the changed text does not run
 * - an unchanged test next to it did not pass
 */
export async function runOtherwise(
  context: RoundContext,
  claim: Pick<Claim, "tests">,
  round: Round & { readonly place: Place; readonly failures: Failures },
): Promise<ConfirmingRun | undefined> {
  return askOtherwise({
    failures: round.failures,
    pick: (below) => randomInt(Math.max(1, below)),
    expect: (expecting) => expectOtherwise(context.workspace.trees, round.tree, claim.tests, expecting),
    async run(otherwise) {
      const told = await runExpecting(context, claim, round, otherwise);
      if (told === undefined) return undefined;
      const { run, failures } = told;
      const isFound = run.canary === "wrong" || run.otherwise?.passed.length !== 0;
      return { result: run, failures, isFound };
    },
  });
}

async function runExpecting(
  context: RoundContext,
  { tests }: Pick<Claim, "tests">,
  { place, ...round }: Round & { readonly place: Place },
  { asked, files }: Otherwise,
): Promise<{ readonly run: ConfirmingRun; readonly failures: Failures } | undefined> {
  const tree = await context.workspace.trees.write(round.tree, files);
  const measured = await measureRound(context, { tests }, { ...round, tree }, place);
  const { outcomes, ...run } = measured.run;
  const { failures } = measured;
  const ids = new Set(asked.map(formatTestKey));
  const isAsked = ({ key }: { readonly key: TestKey }): boolean => ids.has(formatTestKey(key));
  const passed = outcomes.filter((each) => isAsked(each) && each.status === "passed");
  const others = outcomes.filter((each) => !isAsked(each));
  const otherwise = { asked: asked.length, passed: passed.map(({ key }) => formatTestKey(key)) };
  const told = { run: { ...run, outcomes: others, otherwise }, failures };
  if (run.canary === "wrong") return told;
  if (run.invalid !== undefined) return undefined;
  if (passed.length > 0) return told;
  // If nothing builds, every test is an error. Canaries distinguish that from a test that ends with an error.
  const fails = run.canary === "held" ? ["failed", "errored"] : ["failed"];
  const says =
    (run.canary === "held" || place.words === undefined) &&
    outcomes.every((each) => (isAsked(each) ? fails.includes(each.status) : each.status === "passed"));
  return says ? told : undefined;
}

/**
 * Judges the canaries by their statuses. `isCut`: Millwright's time limit ended the run. A canary without a result is
 * then late.
 */
export function judgeCanary(fails: string, passes: string, isCut = false): ConfirmingRun["canary"] {
  if (fails === "failed" && passes === "passed") return "held";
  const isLate = (status: string): boolean => status === "timed-out" || (isCut && status === "not-run");
  if (fails !== "passed" && (isLate(fails) || isLate(passes))) return "late";
  if (fails === "not-run") return "missing";
  return fails === "failed" || fails === "errored" ? "broken" : "wrong";
}

interface Wanted {
  readonly tree: string;
  readonly tests: Claim["tests"];
  readonly words: Words;
}

export async function placeCanary(
  trees: TreeStore,
  { canary }: TestFramework,
  { tree, tests, words }: Wanted,
): Promise<Canary | undefined> {
  if (canary === undefined || tests.length === 0) return undefined;
  const files = (await trees.list(tree)).map(({ path }) => path);
  const read = async (path: string): Promise<string | undefined> =>
    (await trees.read(tree, path))?.toString("utf8");
  return placeFirst(tests, (beside) => canary({ beside, files, read, words }));
}

/** Maximum number of files to try. */
const mostPlaces = 10;

/**
 * Places something next to a test of the first file whose form is known. Undefined if none of the first `mostPlaces`
 * files takes it.
 */
export async function placeFirst<T>(
  tests: readonly TestKey[],
  place: (beside: TestKey) => Promise<T | undefined>,
): Promise<T | undefined> {
  const byFile = Map.groupBy(tests, (key) => formatTestKey({ ...key, name: "" }));
  for (const [beside] of [...byFile.values()].slice(0, mostPlaces)) {
    const placed = beside && (await place(beside));
    if (placed !== undefined) return placed;
  }
  return undefined;
}

/**
 * Makes a random word of lower-case letters. It is a valid name in every language, and works in case-insensitive file
 * systems.
 */
export function makeWord(): string {
  return Array.from({ length: 10 }, () => String.fromCharCode(97 + randomInt(26))).join("");
}

/** Replaces the run's random words with "canary", so that recorded and shown text is the same in each run. */
export function withoutWords(text: string, words: Words | undefined): string {
  if (words === undefined) return text;
  const any = new RegExp([words.file, words.fails, words.passes].join("|"), "gi");
  return text.replaceAll(any, "canary");
}
