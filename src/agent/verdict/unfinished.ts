/**
 * Finds code under test that ends a C or C++ test program before the test does. In one confirming run, Millwright makes
 * the program fail as its last step. A test that still passes does not reach this step. In a further run, the program
 * expects other values.
 */
import { randomInt } from "node:crypto";
import { formatTestKey, passedKeys, type TestKey } from "../../domain/test-outcome.ts";
import { contradictProgram } from "../../judging/contradict-programs.ts";
import { failAtEnd, succeedAtStart } from "../../judging/end-programs.ts";
import { wholeCommand } from "../../languages/shell/command.ts";
import { plainCommand } from "../../languages/shell/plain-command.ts";
import type { Claim } from "../kinds/contract.ts";
import { regionsOf } from "../measure/regions-of.ts";
import { type Place, type RoundContext, runRound } from "./confirming-round.ts";
import { areTold } from "./find-read-results.ts";
import type { ConfirmingRun } from "./judge-confirmation.ts";

/** Test programs whose exit codes decide the tests. */
export interface Programs {
  readonly paths: readonly string[];
  readonly tests: readonly TestKey[];
}

/** The target of a plain command's own test. */
const wholeTarget = "command";

/** Maximum number of programs to try. Those of a plain command are unknown, so Millwright tries one after the other. */
const mostTried = 4;

/**
 * Finds the first deciding programs on the tree without the patch: if Millwright makes them succeed, failing tests
 * pass. This proves that no other program and no pattern of the output decides these tests. Also returns the tests.
 * Undefined if Millwright finds no such programs.
 */
export async function findPrograms(
  context: RoundContext,
  { without, tests }: Claim,
  place: Place,
): Promise<Programs | undefined> {
  if (without === undefined) return undefined;
  for (const { paths, tests: asked } of await listPrograms(context, without, tests)) {
    const tree = await rewrite(context, without, paths, succeedAtStart);
    if (tree === undefined) continue;
    const round = { tree, patched: false, varied: false };
    const run = await runRound(context, { tests: asked }, round, { ...place, words: undefined });
    const passed = passedKeys(run.outcomes);
    if (run.invalid === undefined && passed.length > 0) return { paths, tests: passed };
  }
  return undefined;
}

/** Runs the tests with programs that fail as their last step. Returns undefined if these runs prove nothing. */
export async function runUnfinished(
  context: RoundContext,
  patched: string,
  { paths, tests }: Programs,
  place: Place,
): Promise<ConfirmingRun | undefined> {
  const tree = await rewrite(context, patched, paths, failAtEnd);
  if (tree === undefined) return undefined;
  const round = { tree, patched: true, varied: false };
  const { outcomes, ...run } = await runRound(context, { tests }, round, place);
  if (!areTold({ outcomes, invalid: run.invalid }, tests)) return undefined;
  const passed = outcomes.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key));
  return { ...run, outcomes: [], unfinished: { asked: tests.length, passed } };
}

/**
 * Runs the tests with programs that expect other values. Returns undefined if these runs prove nothing, for example
 * because a program with such values does not build.
 */
export async function runContradicted(
  context: RoundContext,
  patched: string,
  { paths, tests }: Programs,
  place: Place,
): Promise<ConfirmingRun | undefined> {
  const { trees } = context.workspace;
  const change = (text: string): string | undefined => contradictProgram(text, randomInt);
  const files = await changePrograms(context, patched, paths, change);
  const changed = files.map(({ path }) => path);
  const asked = tests.filter(({ target }) => changed.includes(target) || target === wholeTarget);
  if (files.length === 0 || asked.length === 0) return undefined;
  const tree = await trees.write(patched, files);
  const round = { tree, patched: true, varied: false };
  const { outcomes, ...run } = await runRound(context, { tests: asked }, round, place);
  if (run.invalid !== undefined) return undefined;
  const passed = outcomes.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key));
  const isTold = passed.length > 0 || (await isBuilt(context, tree, { paths: changed, tests: asked }, place));
  return isTold ? { ...run, outcomes: [], otherwise: { asked: asked.length, passed } } : undefined;
}

/** True if the tests pass once the programs succeed at their start. A program that does not build fails even then. */
async function isBuilt(
  context: RoundContext,
  changed: string,
  { paths, tests }: Programs,
  place: Place,
): Promise<boolean> {
  const tree = await rewrite(context, changed, paths, succeedAtStart);
  if (tree === undefined) return false;
  const round = { tree, patched: true, varied: false };
  const run = await runRound(context, { tests }, round, { ...place, words: undefined });
  return run.invalid === undefined && run.outcomes.every(({ status }) => status === "passed");
}

async function listPrograms(
  context: RoundContext,
  tree: string,
  tests: readonly TestKey[],
): Promise<Programs[]> {
  const files = (await context.workspace.trees.list(tree)).map(({ path }) => path).filter(isProgram);
  const own = tests.filter(({ target }) => files.includes(target));
  if (own.length > 0) return [{ paths: [...new Set(own.map(({ target }) => target))], tests: own }];
  if (context.suite.command.framework !== plainCommand || files.length === 0) return [];
  const regions = await regionsOf(context, context.suite);
  const whole = { package: "", target: wholeTarget, name: wholeCommand };
  return files
    .filter((path) => regions.isWhole(path))
    .slice(0, mostTried)
    .map((path) => ({ paths: [path], tests: [whole] }));
}

function isProgram(path: string): boolean {
  return /\.(?:c|cc|cpp|cxx)$/.test(path);
}

/** Returns the tree with the changed programs, as far as their form is known; undefined if no form is. */
async function rewrite(
  context: RoundContext,
  tree: string,
  paths: readonly string[],
  change: (text: string) => string | undefined,
): Promise<string | undefined> {
  const files = await changePrograms(context, tree, paths, change);
  return files.length === 0 ? undefined : context.workspace.trees.write(tree, files);
}

/** Returns the changed programs, without those of an unknown form. */
async function changePrograms(
  { workspace: { trees } }: RoundContext,
  tree: string,
  paths: readonly string[],
  change: (text: string) => string | undefined,
): Promise<{ path: string; content: string }[]> {
  const files: { path: string; content: string }[] = [];
  for (const path of paths) {
    const content = change((await trees.read(tree, path))?.toString("utf8") ?? "");
    if (content !== undefined) files.push({ path, content });
  }
  return files;
}
