/** Applies a candidate and the reproductions to the base, and runs the tests. */

import { z } from "zod";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import {
  formatTestKey,
  statusesOf,
  statusFinder,
  type TestKey,
  type TestOutcome,
  testOutcomeSchema,
} from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import { languageOf } from "../../languages/source-files.ts";
import { type AskedBroken, askBroken } from "../../workspace/ask-broken.ts";
import { askAgain, moreTime } from "../../workspace/time-outs.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { cutSchema, limitedStep, type Reached } from "../record/limited-step.ts";
import { remarkOnce } from "../record/once.ts";
import { findCandidate, type MatrixRow, rowOf, type TaskState } from "../state/task-state.ts";
import type { Suite } from "../suite.ts";
import { divideCandidate, dividedIn } from "./divide.ts";
import { hasEnded, testTimeoutOf, usualTimeOf } from "./measure-suite.ts";
import { containsReached, onlyReached, reachedIn } from "./reached-tests.ts";
import { countCompared, findBroken } from "./regressions.ts";
import {
  askerOf,
  findLate,
  learnFrom,
  repeaterOf,
  runTogether,
  tellOpen,
  trusted,
} from "./rerun-candidate.ts";
import { noFramework, nothingRan } from "./without-tests.ts";

const reportSchema = z.object({
  outcomes: z.array(testOutcomeSchema),
  invalid: z.string().optional(),
  /** Tests that failed once but are not broken. Absent in runs of older versions. */
  unsteady: z.array(z.string()).optional(),
  /** Tests that may be flaky, but for which no time was left to repeat the run. Absent in runs of older versions. */
  open: z.array(z.string()).optional(),
  /** Tests that hung and ended the process; the others ran without them. Absent in runs of older versions. */
  stuck: z.array(z.string()).optional(),
  /** True if several processes divided the tests, as in `Suite`. */
  isDivided: z.boolean().optional(),
  ...cutSchema,
});
export type Ran = z.infer<typeof reportSchema>;

const reached: Reached<Ran> = {
  of: ({ outcomes }, isCut) => (isCut ? reachedIn(outcomes.filter(hasEnded), isCut) : undefined),
  only: (ran, recorded) => ({ ...ran, outcomes: onlyReached(ran.outcomes, recorded) }),
  contains: ({ outcomes }, recorded) => containsReached(outcomes.filter(hasEnded), recorded),
};

/**
 * Time limit of a run: a multiple of the suite's time on the base (`factor`), plus milliseconds (`ms`). `buildMs`:
 * milliseconds for a whole build, if a limit ended the base's build before any test ended.
 */
const patience = { factor: 3, ms: 120_000, buildMs: 20 * 60_000 };

function usualMsOf(suite: Suite): number {
  const { outcomes, part } = suite;
  const usualMs = patience.factor * usualTimeOf(suite) + patience.ms;
  const isUnbuilt = part?.isCut === true && outcomes.length === 0;
  return isUnbuilt ? Math.max(usualMs, patience.buildMs) : usualMs;
}

/** Composes the base, every reproduction and the candidate into one tree. Fails if they conflict. */
export function composeTree(
  { workspace }: Pick<ActionContext, "workspace">,
  { candidates }: TaskState,
  candidate: Candidate,
): Promise<Result<string, "conflict">> {
  const reproductions = candidates.filter(({ kind }) => kind === "reproduction");
  // The whole tree, with all changes of the candidate's parent.
  const { parent: _, ...whole } = candidate;
  return workspace.trees.compose(workspace.base, [...reproductions, whole], () => workspace.base);
}

function keyOfRun(tree: string, selection: Selection, again = 1): string {
  const what = selection.kind === "tests" ? selection.tests.map(formatTestKey) : selection;
  return `tests:${tree}:${JSON.stringify(what)}:${again}`;
}

/**
 * Returns the selected results of a full run on the tree. Undefined without such a run, or if it lacks one of the tests
 * or files.
 */
async function saidByAll(
  { recorder }: Pick<ActionContext, "recorder">,
  tree: string,
  selection: Selection,
): Promise<Ran | undefined> {
  const all = keyOfRun(tree, { kind: "all" });
  // A resumed run repeats the order: tests requested before the full run keep their own run.
  if (selection.kind === "all" || recorder.has(keyOfRun(tree, selection)) || !recorder.has(all))
    return undefined;
  const options = { key: all, title: "run all tests", schema: reportSchema, large: true };
  const ran = await recorder.step<Ran>(options, async () => ({ outcomes: [], invalid: "it is gone" }));
  if (ran.cutMs !== undefined || ran.invalid !== undefined) return undefined;
  if (selection.kind === "files") {
    const ofFile = Map.groupBy(ran.outcomes, ({ key }) => key.target);
    const outcomes = selection.files.map((file) => ofFile.get(file) ?? []);
    return outcomes.every(({ length }) => length > 0) ? { outcomes: outcomes.flat() } : undefined;
  }
  const byId = new Map(ran.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const outcomes = selection.tests.flatMap((key) => byId.get(formatTestKey(key)) ?? []);
  return outcomes.length === selection.tests.length ? { outcomes } : undefined;
}

/**
 * Runs the selected tests on a tree, and records the results. A later call with the same tests returns the record. It
 * repeats the run only if a limit ended the run and more time is left now. `again`: the number of this run of the same
 * tests, from 1. If all tests ran on the tree before, takes single tests and files from those results.
 */
export async function runOn(
  context: RunContext,
  tree: string,
  asked: Selection,
  again = 1,
  configuration?: "own",
): Promise<Ran> {
  const { executor, suite, workspace } = context;
  // Not recorded, because the run may still find a test command.
  if (suite.command.framework === noFramework.name)
    return { outcomes: [], invalid: nothingRan(suite.command.foundBy).report.invalid };
  const selection = withoutData(suite, knownPart(suite, asked));
  const isPlain = again === 1 && configuration === undefined;
  const said = isPlain ? await saidByAll(context, tree, selection) : undefined;
  if (said !== undefined) return said;
  const options = {
    key: `${keyOfRun(tree, selection, again)}${configuration === undefined ? "" : ":own"}`,
    title: selection.kind === "all" ? "run all tests" : "run tests",
    schema: reportSchema,
    large: true,
    usualMs: usualMsOf(suite),
    reached,
    decides: ({ outcomes, invalid }: Ran) => [statusesOf(outcomes), invalid === undefined],
  };
  const ran = await limitedStep<Ran>(context, options, async (timeoutMs) => {
    const testTimeoutMs = testTimeoutOf(suite);
    const given = { tree, timeoutMs, ...(configuration === undefined ? {} : { configuration }) };
    const divided =
      configuration === undefined && again === 1 ? divideCandidate(suite, selection) : undefined;
    const request = { ...given, selection, testTimeoutMs };
    const first = await runTogether(context, request, divided);
    const selected = (tests: readonly TestKey[]) => ({
      ...given,
      selection: keysSelected(tests),
      testTimeoutMs,
    });
    const { end, stuck = [] } = first;
    const { invalid } = first.report;
    const statusOf = statusFinder(suite.outcomes);
    const answered = await askAgain(
      first.report.outcomes,
      // The limit comes from tests that passed before. A new or repaired test may need more time.
      ({ key }) => statusOf(key) !== "timed-out",
      (test) => {
        const alone = { ...selected([test]), testTimeoutMs: moreTime * testTimeoutMs };
        return executor.run(suite.command, alone);
      },
    );
    const late = findLate(first.report.outcomes, answered, testTimeoutMs);
    const isJudged = isPlain && invalid === undefined && end !== "timed-out" && tree !== workspace.base;
    const { outcomes, unsteady, open } = isJudged
      ? await askBroken(
          answered,
          suite.outcomes,
          {
            ask: askerOf(context, tree, selected),
            repeat: repeaterOf(context, request, late.length > 0),
            isolates: isolates(context),
          },
          { flaky: new Set(suite.unsteady), late },
        )
      : { outcomes: answered, unsteady: [], open: [] };
    const isCut = end === "timed-out" || open.length > 0;
    const isOpen = isCut && (open.length > 0 || !outcomes.some(hasEnded));
    const result = {
      outcomes: [...outcomes],
      ...(invalid === undefined ? {} : { invalid: `${isOpen ? `${unheard}. ` : ""}${invalid}` }),
      ...(unsteady.length === 0 ? {} : { unsteady: [...unsteady] }),
      ...(open.length === 0 ? {} : { open: [...open] }),
      ...(stuck.length === 0 ? {} : { stuck: [...stuck] }),
      ...dividedIn(first),
    };
    return { result, isCut, isOpen };
  });
  learnFrom(context, ran);
  return ran;
}

/** A busy machine or a long build may delay the first test beyond the limit. A repetition of the run may succeed. */
const unheard =
  "a time limit ended the run before any test ended, which says nothing about the tests. Run them again without changes; a build then continues";

/** If only a part of the suite can run, selects the tests that passed on the base, or failed as expected. */
function knownPart({ part, outcomes }: Suite, asked: Selection): Selection {
  if (asked.kind !== "all" || part === undefined) return asked;
  const passing = outcomes.filter(({ status }) => status === "passed" || status === "expected-failure");
  return { kind: "tests", tests: passing.map(({ key }) => key) };
}

/** Excludes test data, because a runner fails or runs nothing if it gets the name of a data file. */
function withoutData({ outcomes }: Suite, asked: Selection): Selection {
  if (asked.kind !== "files") return asked;
  const targets = new Set(outcomes.map(({ key }) => key.target));
  const files = asked.files.filter((path) => languageOf(path) !== undefined || targets.has(path));
  return files.length === 0 ? asked : { kind: "files", files };
}

/**
 * Measures a candidate with the targets, or with all tests if `asked` is "all" or there is no target. Reuses the
 * results of a full run. A run of no test would count as a run that failed.
 */
export async function measureCandidate(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
  asked: "targets" | "all",
): Promise<Result<MatrixRow, "conflict">> {
  const targets = state.fault?.targets ?? [];
  const scope = targets.length === 0 ? "all" : asked;
  const known = scope === "all" ? wholeRow(state, candidate, context.suite) : undefined;
  if (known !== undefined) return succeed(rowOfRun(state, candidate, context.suite, known));
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return fail("conflict", composed.message);
  const selection = scope === "all" ? allFor(context.suite, state) : keysSelected(targets);
  const ran = await runOn(context, composed.value, selection);
  const isCut = ran.cutMs !== undefined;
  if (scope === "targets") return succeed(rowOfRun(state, candidate, undefined, { ...ran, isCut }));
  const { outcomes, open } = await askWithoutWritten(context, state, candidate, ran);
  const isOpen = isCut || open.length > 0;
  return succeed(rowOfRun(state, candidate, context.suite, { ...ran, outcomes, isCut: isOpen }));
}

/**
 * Repeats the broken tests without the run's written tests, which are not a part of the patch. The written tests may be
 * the only reason why a test fails that lists or counts test files. Such a test passes with the patch alone.
 */
async function askWithoutWritten(
  context: RunContext,
  { candidates }: TaskState,
  { tree }: Candidate,
  { outcomes: all, invalid }: Ran,
): Promise<AskedBroken> {
  if (invalid !== undefined || !candidates.some(({ kind }) => kind === "reproduction"))
    return { outcomes: all, unsteady: [], open: [] };
  let time = 1;
  const again = (selection: Selection): Promise<Ran> => {
    time += 1;
    return runOn(context, tree, selection, time);
  };
  const asked = await askBroken(all, context.suite.outcomes, {
    isolates: isolates(context),
    ask: async (tests, on) => (on === "base" ? [] : trusted(await again(keysSelected(tests)))),
    async repeat(on) {
      if (on === "base") return { outcomes: [], isCut: false };
      const ran = await again({ kind: "all" });
      return { outcomes: trusted(ran), isCut: ran.cutMs !== undefined };
    },
  });
  for (const test of asked.unsteady)
    remarkOnce(
      context.recorder,
      `${test} fails only together with the tests that this run wrote. It passes with the patch alone, so it does not count as broken`,
    );
  for (const test of asked.open) tellOpen(context, test);
  return asked;
}

function isolates({ frameworks, suite }: RunContext): boolean {
  return frameworks.find(({ name }) => name === suite.command.framework)?.isolates === true;
}

function keysSelected(tests: readonly TestKey[]): Selection {
  return { kind: "tests", tests: [...tests] };
}

/** Selects all tests. If only a part of the suite runs, includes the tests written in the run. */
function allFor(suite: Suite, { fault }: TaskState): Selection {
  const known = knownPart(suite, { kind: "all" });
  if (known.kind !== "tests") return known;
  const written = [...(fault?.targets ?? []), ...(fault?.guards ?? []).map(({ key }) => key)];
  const ids = new Set(known.tests.map(formatTestKey));
  return keysSelected([...known.tests, ...written.filter((key) => !ids.has(formatTestKey(key)))]);
}

/**
 * Returns the newest row of a candidate's own tree, if a complete run gave it results of all tests, including written
 * ones. Otherwise undefined. Callers also judge other trees under the candidate's id.
 */
export function wholeRow(
  state: TaskState,
  { id, tree }: Pick<Candidate, "id" | "tree">,
  suite: Pick<Suite, "outcomes">,
): MatrixRow | undefined {
  const row = findCandidate(state, id)?.tree === tree ? rowOf(state, id) : undefined;
  if (row === undefined || row.invalid !== undefined || row.broken === undefined) return undefined;
  // With more time, another run may have the missing results.
  if (row.isCut === true || isOutgrown(row, state, suite)) return undefined;
  const ran = row.outcomes.filter(({ status }) => status !== "not-run").map(({ key }) => formatTestKey(key));
  const said = new Set(ran);
  const { targets = [], guards = [] } = state.fault ?? {};
  const asked = [...targets, ...guards.map(({ key }) => key)].map(formatTestKey);
  return asked.every((key) => said.has(key)) ? row : undefined;
}

/** True if more of the base's tests are known now than when the row was made. Those that the row lacks are not broken. */
function isOutgrown(
  { compared }: MatrixRow,
  { fault }: Pick<TaskState, "fault">,
  { outcomes }: Pick<Suite, "outcomes">,
): boolean {
  const base = [...outcomes, ...(fault?.guards ?? [])];
  return compared !== undefined && compared < countCompared(base, fault?.targets);
}

/**
 * Returns the newest row of a full run, with the results of tests added since. Keeps the row's other results: new test
 * files do not change them, and a later run may omit them. Undefined without a full run.
 */
export function rowWithAdded(
  context: Pick<ActionContext, "suite">,
  state: TaskState,
  candidate: Candidate,
  added: readonly TestOutcome[],
): MatrixRow | undefined {
  const row = rowOf(state, candidate.id);
  if (row === undefined || row.broken === undefined || row.invalid !== undefined) return undefined;
  if (isOutgrown(row, { fault: undefined }, context.suite)) return undefined;
  const own = new Set(context.suite.outcomes.map(({ key }) => formatTestKey(key)));
  const fresh = added.filter(({ key }) => !own.has(formatTestKey(key)));
  const ids = new Set(fresh.map(({ key }) => formatTestKey(key)));
  const outcomes = [...row.outcomes.filter(({ key }) => !ids.has(formatTestKey(key))), ...fresh];
  return rowOfRun(state, candidate, context.suite, { outcomes, isCut: row.isCut });
}

/**
 * Makes a row from a run. `suite`: the results of all tests on the base. Undefined if the candidate's run omitted
 * tests, because broken tests are then unknown.
 */
export function rowOfRun(
  { fault }: Pick<TaskState, "fault">,
  candidate: Pick<Candidate, "id">,
  suite: Pick<Suite, "outcomes"> | undefined,
  {
    outcomes,
    invalid,
    isCut = false,
  }: {
    readonly outcomes: readonly TestOutcome[];
    readonly invalid?: string | undefined;
    readonly isCut?: boolean | undefined;
  },
): MatrixRow {
  const targets = outcomesOf(outcomes, fault?.targets ?? []);
  const base = suite && [...suite.outcomes, ...(fault?.guards ?? [])];
  const broken = base && findBroken(base, outcomes, fault?.targets);
  const passing = targets.filter(({ status }) => status === "passed").length;
  const score = [passing, -(broken?.length ?? Number.MAX_SAFE_INTEGER)];
  const compared = base && countCompared(base, fault?.targets);
  const row = {
    ...{ candidate: candidate.id, outcomes, targets, broken, invalid, score },
    ...(compared === undefined ? {} : { compared }),
  };
  return isCut ? { ...row, isCut } : row;
}

/** Returns the outcomes of these tests. A target without a result did not pass. */
function outcomesOf(outcomes: readonly TestOutcome[], keys: readonly TestKey[]): TestOutcome[] {
  const statusOf = statusFinder(outcomes);
  const found = new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  return keys.map((key) => found.get(formatTestKey(key)) ?? { key, status: statusOf(key), durationMs: 0 });
}
