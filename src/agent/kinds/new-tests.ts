/**
 * Finds the tests that a candidate adds. Runs them alone and in the whole suite, and compares the results with the
 * base.
 */

import { countOf, nameFirst, wordFor } from "../../base/count.ts";
import { succeed } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import {
  findStatus,
  formatTestKey,
  statusFinder,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { type ChangedFiles, changedFiles } from "../code/changed-files.ts";
import { findRegressions, selectRerun } from "../measure/regressions.ts";
import { trusted } from "../measure/rerun-candidate.ts";
import { type Ran, runOn } from "../measure/run-candidate.ts";
import { openTestExecutor } from "../measure/test-executor.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import type { TestExecutor } from "../suite.ts";
import { withTestsOfBase } from "./base-tests.ts";
import { describeBroken } from "./broken-tests.ts";
import type { Judgement, KindRules, TriedMutants } from "./contract.ts";
import { cutOff, isOnlyUnrun, tellStillPassing } from "./still-passing.ts";
import { askFor, findTouched } from "./touched-tests.ts";

export interface NewTests {
  readonly changed: ChangedFiles;
  /** Tests that the base does not have, with their results on the candidate's tree. */
  readonly fresh: readonly TestOutcome[];
  /** All tests that ran. */
  readonly outcomes: readonly TestOutcome[];
  /** The reason why the test report is unreliable, if it is. */
  readonly invalid: string | undefined;
  /** True if all tests ran. */
  readonly isWhole: boolean;
}

/** Runs the changed test files. If they show no new test, runs all tests. */
export async function runNewTests(
  context: RunContext & Pick<ActionContext, "regions">,
  candidate: Candidate,
): Promise<NewTests> {
  const { trees, base } = context.workspace;
  const changed = await changedFiles(trees, context.regions, base, candidate.tree);
  const files = await presentFiles(context, candidate.tree, [...changed.tests, ...changed.inside]);
  if (files.length > 0) {
    const { outcomes, invalid } = await runOn(context, candidate.tree, { kind: "files", files });
    const fresh = await selectFresh(context, candidate, outcomes);
    if (fresh.length > 0) return { changed, fresh, outcomes, invalid, isWhole: false };
  }
  const { outcomes, invalid } = await runOn(context, candidate.tree, { kind: "all" });
  const fresh = await selectFresh(context, candidate, outcomes);
  return { changed, fresh, outcomes, invalid, isWhole: true };
}

async function presentFiles(
  { workspace: { trees } }: Pick<ActionContext, "workspace">,
  tree: string,
  files: readonly string[],
): Promise<string[]> {
  const present = new Set((await trees.list(tree)).map(({ path }) => path));
  return files.filter((file) => present.has(file));
}

/**
 * Selects the tests that the base does not have. If only a part of the base's tests ran, asks the base for the others,
 * except for tests of new files. Without an answer, such a test does not count as new.
 */
export async function selectFresh(
  context: RunContext,
  { tree }: Pick<Candidate, "tree">,
  outcomes: readonly TestOutcome[],
): Promise<TestOutcome[]> {
  const { suite, workspace } = context;
  const { trees, base } = workspace;
  const known = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const unknown = outcomes.filter(({ key }) => !known.has(formatTestKey(key)));
  if (suite.part === undefined || unknown.length === 0) return unknown;
  const [before, after] = await Promise.all(
    [base, tree].map(async (each) => new Set((await trees.list(each)).map(({ path }) => path))),
  );
  const isNew = ({ key }: TestOutcome): boolean =>
    before?.has(key.target) === false && after?.has(key.target) === true;
  const tests = keysOf(unknown.filter((outcome) => !isNew(outcome)));
  if (tests.length === 0) return unknown;
  const ran = await runOn(context, base, { kind: "tests", tests });
  const isAnswered = ran.invalid === undefined && ran.cutMs === undefined;
  const statusOf = statusFinder(ran.outcomes);
  return unknown.filter((each) => isNew(each) || (isAnswered && statusOf(each.key) === "not-run"));
}

export function keysOf(outcomes: readonly TestOutcome[]): TestKey[] {
  return outcomes.map(({ key }) => key);
}

/**
 * Runs these tests on another tree, or repeats them on the same tree (`again`: the number of the run). A test without a
 * result counts as not passed. An unreliable report gives no result.
 */
export async function runAgain(
  context: RunContext,
  tree: string,
  keys: readonly TestKey[],
  again = 1,
): Promise<TestOutcome[]> {
  return statusesIn(keys, trusted(await runOn(context, tree, { kind: "tests", tests: [...keys] }, again)));
}

function statusesIn(keys: readonly TestKey[], outcomes: readonly TestOutcome[]): TestOutcome[] {
  const byId = new Map(outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
  return keys.map(
    (key) => byId.get(formatTestKey(key)) ?? { key, status: findStatus(outcomes, key), durationMs: 0 },
  );
}

interface Whole {
  readonly predicate: Predicate;
  readonly broken: readonly string[] | undefined;
  readonly outcomes: readonly TestOutcome[];
}

/** Maximum failures to run again. More failures cannot be a coincidence. */
const mostFlaky = 20;

/**
 * Runs all tests on the candidate, and compares them with the base. At most `mostFlaky` failures run again, together
 * with the new tests, in a fresh checkout. Some tests are flaky, and some fail because of files from their own earlier
 * run. If some of them pass, all tests run again there, because a test may break only in the company of others. If there
 * are more failures, or if the run is invalid, none of them runs again.
 */
async function runWhole(
  context: RunContext & Pick<ActionContext, "regions">,
  candidate: Candidate,
  fresh: readonly TestOutcome[],
): Promise<Whole> {
  const { suite } = context;
  const ran = await runOn(context, candidate.tree, { kind: "all" });
  const { outcomes, invalid, touched } = await asTheyWere(context, candidate, ran);
  const first = new Set(findRegressions(suite.outcomes, outcomes));
  const suspects = suite.outcomes.filter(({ key }) => first.has(formatTestKey(key)));
  const isFew = suspects.length > 0 && suspects.length <= mostFlaky && invalid === undefined;
  const suspected = new Set(suspects.map(({ key }) => formatTestKey(key)));
  const own = suspects.filter(({ key }) => !touched.has(formatTestKey(key)));
  const again =
    isFew && own.length > 0
      ? await runAgain(apart(context), candidate.tree, [...keysOf(own), ...keysOf(fresh)], 2)
      : [];
  const alone = new Set(findRegressions(own, again));
  const cleared = isFew ? own.filter(({ key }) => !alone.has(formatTestKey(key))) : [];
  const repeated =
    cleared.length > 0 ? await runOn(apart(context), candidate.tree, { kind: "all" }, 2) : undefined;
  const together = repeated === undefined ? [] : statusesIn(keysOf(cleared), trusted(repeated));
  const broken = isFew
    ? [
        ...[...first].filter((id) => touched.has(id) || !suspected.has(id) || alone.has(id)),
        ...findRegressions(cleared, together),
      ]
    : [...first];
  const isCut = [ran, repeated].some((each) => each?.cutMs !== undefined);
  return {
    predicate: noTestBreaks(suite.outcomes, {
      broken,
      candidate: outcomes,
      flaky: first.size - broken.length,
      invalid,
      isCut: isCut && isOnlyUnrun(broken, outcomes, again, together),
    }),
    broken,
    outcomes,
  };
}

interface AsTheyWere extends Ran {
  /** Ids of tests that ran in the base's version. */
  readonly touched: ReadonlySet<string>;
}

/** For a candidate with code: runs the tests that its test changes affect, in the base's version. */
async function asTheyWere(
  context: RunContext & Pick<ActionContext, "regions">,
  { tree }: Candidate,
  ran: Ran,
): Promise<AsTheyWere> {
  const { trees, base } = context.workspace;
  const { code } = await changedFiles(trees, context.regions, base, tree);
  const isAsked = code.length > 0 && ran.invalid === undefined;
  const touched = isAsked ? await findTouched(context, tree, ran.outcomes) : [];
  const ids = new Set(touched.map(formatTestKey));
  if (ids.size === 0) return { ...ran, touched: ids };
  const kept = await withTestsOfBase(trees, context.regions, base, tree);
  const again = await runOn(context, kept, askFor(touched, context.suite));
  const asked = selectRerun(context.suite.outcomes, again.outcomes, ids);
  const replaced = new Set([...ids, ...asked.map(({ key }) => formatTestKey(key))]);
  const others = ran.outcomes.filter(({ key }) => !replaced.has(formatTestKey(key)));
  return { ...again, outcomes: [...others, ...asked], touched: ids };
}

/** Returns a context that opens a fresh checkout for each test run. */
function apart(context: RunContext): RunContext {
  const { workspace, frameworks, signal, executor } = context;
  const run: TestExecutor["run"] = async (command, request) => {
    const own = await openTestExecutor(workspace, frameworks, signal);
    try {
      return await own.run(command, request);
    } finally {
      await own.close();
    }
  };
  return { ...context, executor: { ...executor, run } };
}

interface Breakage {
  readonly broken: readonly string[];
  /** The results of all tests with the patch. */
  readonly candidate: readonly TestOutcome[];
  readonly flaky: number;
  readonly invalid: string | undefined;
  /** True if the predicate fails only because of the run's time limit. */
  readonly isCut?: boolean;
}

/** Returns the predicate that all kinds share: no test that passed on the base breaks. */
export function noTestBreaks(
  base: readonly TestOutcome[],
  { broken, candidate, flaky, invalid, isCut = false }: Breakage,
): Predicate {
  const passed = base.filter(({ status }) => status === "passed").length;
  const beside =
    flaky === 0
      ? ""
      : `; ${flaky} of them ${wordFor(flaky, "passes", "pass")} only when run again in a fresh checkout`;
  const said =
    broken.length === 0
      ? `${tellStillPassing(passed)}${beside}`
      : `of ${countOf(passed, "test")} that passed before, ${describeBroken(broken, base, candidate)}`;
  return {
    predicate: "no-test-breaks",
    holds: invalid === undefined && broken.length === 0,
    ...(isCut ? cutOff(broken.length) : { evidence: invalid ?? said }),
  };
}

/** The result if the whole suite did not run, because an earlier condition does not hold. */
const wholeNotRun: Whole = {
  predicate: {
    predicate: "no-test-breaks",
    holds: false,
    evidence: "not run yet: earlier conditions must hold first",
  },
  broken: undefined,
  outcomes: [],
};

export function onlyTestsChange({ tests, code, inside }: ChangedFiles): Predicate {
  const changed = tests.length + inside.length;
  const within = inside.length === 0 ? "" : `, ${inside.length} of them source code with tests inside`;
  return {
    predicate: "only-tests-change",
    holds: code.length === 0 && changed > 0,
    evidence:
      code.length > 0
        ? `the candidate changes files that are not tests: ${nameFirst(code, 5)}`
        : changed === 0
          ? "the candidate changes nothing"
          : `only ${changed === 1 ? "one test file changes" : `${changed} test files change`}${within}`,
  };
}

/**
 * Makes a matrix row from the gate. The score has two figures: the number of met predicates, and `progress` in finer
 * steps.
 */
export function rowFrom(
  candidate: Candidate,
  gate: readonly Predicate[],
  measured: Pick<MatrixRow, "outcomes" | "targets" | "broken" | "invalid"> &
    Partial<Pick<MatrixRow, "missing">> & { readonly progress: number },
): MatrixRow {
  const { progress, ...row } = measured;
  const unmet = gate.filter(({ holds }) => !holds);
  const told =
    unmet.length === 0
      ? `every condition of this kind of task holds: ${gate.map(({ evidence }) => evidence).join("; ")}`
      : unmet.map(({ predicate, evidence }) => `${predicate}: ${evidence}`).join("; ");
  return { candidate: candidate.id, ...row, told, score: [gate.length - unmet.length, progress] };
}

/** A judgement that always has a row, because new tests cannot conflict with the base. */
export interface JudgedTests extends Judgement {
  readonly row: MatrixRow;
}

export interface OwnJudgement {
  /** The kind's conditions for its new tests. */
  readonly gate: readonly Predicate[];
  /** True if a run of all tests is worth its time. */
  readonly isReady: boolean;
  readonly missing: readonly string[];
  readonly progress: number;
  readonly inferred?: string | undefined;
  /** Conditions that need many runs, such as mutants. Millwright measures them last, and only if no test breaks. */
  readonly further?: (() => Promise<Further>) | undefined;
}

export interface Further {
  readonly gate: readonly Predicate[];
  readonly missing: readonly string[];
  readonly mutants?: TriedMutants | undefined;
}

/**
 * Completes the judgement of new tests, for every kind. Runs all tests if the new ones meet their own predicates
 * (`isReady`). Measures the expensive conditions only if no test breaks, because broken tests help the next author
 * most. Makes a matrix row.
 */
export async function judgeNewTests(
  context: RunContext & Pick<ActionContext, "regions">,
  candidate: Candidate,
  { fresh, outcomes }: NewTests,
  { gate: own, isReady, missing: lacking, progress, inferred, further }: OwnJudgement,
): Promise<JudgedTests> {
  const whole = isReady ? await runWhole(context, candidate, fresh) : wholeNotRun;
  const last = whole.predicate.holds ? await further?.() : undefined;
  const gate = [...own, whole.predicate, ...(last?.gate ?? [])];
  const missing = [...lacking, ...(last?.missing ?? [])];
  const mutants = last?.mutants;
  const row = rowFrom(candidate, gate, {
    outcomes: isReady ? whole.outcomes : outcomes,
    targets: fresh,
    broken: whole.broken,
    invalid: undefined,
    missing,
    progress,
  });
  return {
    gate,
    row,
    ...(mutants === undefined ? {} : { mutants }),
    ...(inferred === undefined ? {} : { inferred }),
  };
}

/** Measures a candidate by judging it. Used by gates that always run all tests. */
export function measureBy(
  judge: (context: JudgeContext, state: TaskState, candidate: Candidate) => Promise<JudgedTests>,
): KindRules["measure"] {
  return async (context, state, candidate) => succeed((await judge(context, state, candidate)).row);
}
