/** Performs one run of a confirmation: the deciding tests, next to a test that must fail and one that must pass. */

import { randomInt } from "node:crypto";
import { formatTestKey, statusFinder, type TestKey } from "../../domain/test-outcome.ts";
import type { Canary, CanaryRequest, TestFramework } from "../../languages/contract.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { Surroundings } from "../../workspace/surroundings.ts";
import type { Claim } from "../kinds/contract.ts";
import { testTimeoutOf } from "../measure/measure-suite.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite, TestBench } from "../suite.ts";
import { findComparedData } from "./compared-data.ts";
import { expectOtherwise } from "./contradict.ts";
import type { ConfirmingRun } from "./judge-confirmation.ts";

export interface Round {
  readonly tree: string;
  readonly patched: boolean;
  /** A run in varied conditions, as far as the framework supports variation. */
  readonly varied: boolean;
  /** Default: a bare environment and a closed standard input. */
  readonly surroundings?: Surroundings;
  /** A run with other expected values, where possible. */
  readonly otherwise?: true;
  /** A run of the base's own tests. Its changes excuse the same changes in the patch's run. */
  readonly own?: true;
}

type Words = CanaryRequest["words"];

export interface Place {
  readonly bench: TestBench;
  readonly framework: TestFramework;
  readonly deadline: number;
  /** The name of the canaries. Undefined: runs without canaries. */
  readonly words: Words | undefined;
}

export interface RoundContext extends Pick<StrategyContext, "workspace" | "frameworks"> {
  readonly suite: Pick<Suite, "command" | "outcomes" | "durationMs" | "own">;
}

export async function runRound(
  context: RoundContext,
  { tests }: Pick<Claim, "tests">,
  { tree, patched, varied, own, surroundings }: Round,
  { bench, framework, deadline, words }: Place,
): Promise<ConfirmingRun> {
  const { workspace, suite } = context;
  const { trees } = workspace;
  const canary =
    words === undefined ? undefined : await placeCanary(trees, framework, { tree, tests, words });
  const added = canary === undefined ? [] : [canary.fails, canary.passes];
  const { report } = await bench.run(suite.command, {
    tree: canary === undefined ? tree : await trees.write(tree, [canary.file]),
    selection: { kind: "tests", tests: [...tests, ...added] },
    testTimeoutMs: testTimeoutOf(suite),
    timeoutMs: Math.max(1, deadline - performance.now()),
    varied,
    surroundings,
  });
  const { outcomes, invalid, frameworkChanges } = report;
  const dataChanges = await findComparedData(context, { tree, tests, own }, bench.damaged());
  const statusOf = statusFinder(outcomes);
  const targets = new Set(tests.map(({ target }) => target));
  const broken = outcomes
    .filter(({ key, status }) => key.name === "" && targets.has(key.target) && status === "errored")
    .map(({ key }) => key.target);
  return {
    patched,
    varied,
    outcomes: tests.map((key) => ({ key, status: statusOf(key) })),
    ...(broken.length === 0 ? {} : { broken }),
    ...(invalid === undefined ? {} : { invalid: withoutWords(invalid, words) }),
    ...(frameworkChanges && { frameworkChanges: frameworkChanges.map((each) => withoutWords(each, words)) }),
    ...(dataChanges.length === 0 ? {} : { dataChanges }),
    canary: canary === undefined ? "none" : judgeCanary(statusOf(canary.fails), statusOf(canary.passes)),
  };
}

/**
 * Runs tests with other expected values, if Millwright can change them in the tests' text. Returns undefined if the
 * round proves nothing:
 * - no test has a changeable expected value
 * - the changed text does not run
 * - an unchanged test next to it did not pass
 */
export async function runOtherwise(
  context: RoundContext,
  { tests }: Pick<Claim, "tests">,
  round: Round,
  place: Place,
): Promise<ConfirmingRun | undefined> {
  const { trees } = context.workspace;
  const { asked, files } = await expectOtherwise(trees, round.tree, tests);
  if (asked.length === 0) return undefined;
  const tree = await trees.write(round.tree, files);
  const { outcomes, ...run } = await runRound(context, { tests }, { ...round, tree }, place);
  const ids = new Set(asked.map(formatTestKey));
  const isAsked = ({ key }: { readonly key: TestKey }): boolean => ids.has(formatTestKey(key));
  const passed = outcomes.filter((each) => isAsked(each) && each.status === "passed");
  const others = outcomes.filter((each) => !isAsked(each));
  const otherwise = { asked: asked.length, passed: passed.map(({ key }) => formatTestKey(key)) };
  const told = { ...run, outcomes: others, otherwise };
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

export function judgeCanary(fails: string, passes: string): ConfirmingRun["canary"] {
  if (fails === "failed" && passes === "passed") return "held";
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
  const [beside] = tests;
  if (canary === undefined || beside === undefined) return undefined;
  const files = (await trees.list(tree)).map(({ path }) => path);
  const read = async (path: string): Promise<string | undefined> =>
    (await trees.read(tree, path))?.toString("utf8");
  return canary({ beside, files, read, words });
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
