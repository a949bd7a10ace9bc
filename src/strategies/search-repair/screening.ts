/**
 * Screens many proposals in one start of the tests. All are in one program, in which a selector chooses one, or the tests
 * swap them into the running program. Millwright then separately validates proposals that pass or stay undecided.
 */

import { z } from "zod";
import type { Baseline } from "../../agent/measure/baseline.ts";
import {
  type CandidateProgram,
  composeProgram,
  findCulprits,
} from "../../agent/measure/candidate-program.ts";
import type { MeasurementContext } from "../../agent/measure/measurement.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { type CoveredLines, formatTestKey, isFailing, type TestKey } from "../../domain/test-outcome.ts";
import { hasSelector } from "../../instrument/compose-schema.ts";
import type { Batch, BatchReport, BuildComplaint } from "../../languages/contract.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RunnableCandidate } from "../../workspace/batch-runner.ts";
import { isDear, listPassed, timesFrom } from "./funnel.ts";
import { chooseGuards } from "./guard-tests.ts";
import { changedText, type PreparedProposal, type Ranked } from "./proposals.ts";

export const screeningSchema = z.object({
  results: z.array(
    z.object({
      rank: z.int(),
      result: z.enum(["passes", "fails", "does not load", "breaks"]),
      /** Number of target tests that pass. */
      fixed: z.int(),
      /** Ids of the target tests that pass, for partial repairs; otherwise empty. */
      turned: z.array(z.string()).default([]),
      /** Ids of tests that passed on the base, and fail now. */
      broken: z.array(z.string()).default([]),
    }),
  ),
  /** The reason why the other candidates have no result, for people. */
  remark: z.string().optional(),
});
export type Screening = z.infer<typeof screeningSchema>;
type Results = Screening["results"];

/**
 * Maximum number of builds. A compiler reports type errors first and borrow errors later. After these builds,
 * Millwright validates the rest separately.
 */
const mostRounds = { usual: 16, keptBuild: 48 };
/** Milliseconds for a start and for a build. The value is generous. */
const startMs = 120_000;

export interface Screen {
  readonly context: Pick<MeasurementContext, "workspace" | "limits"> & Pick<StrategyContext, "parallel">;
  readonly executor: TestExecutor;
  readonly baseline: Baseline;
  readonly batch: Batch;
  /**
   * The baseline's coverage, by test. A proposal that passes the failing tests also runs the tests of the changed
   * statement.
   */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
}

/**
 * If fewer proposals than this pass, Millwright runs all tests on each of them at once, without the guard tests.
 * Exceptions: the runs of all tests would take `longMs` milliseconds or more, or the checkout keeps its build.
 */
const fewPassing = 3;
const longMs = 5_000;
/** Maximum number of partial repairs of a chunk that run the guard tests with those that pass. */
const mostPartial = 8;

/**
 * Runs the target tests and nearby tests with many proposals in one program start. The caller must validate proposals
 * without a result separately.
 */
export async function screenProposals(screen: Screen, chunk: readonly Ranked[]): Promise<Screening> {
  if (screen.batch.kind === "swap") {
    const { base } = screen.context.workspace;
    const report = await runScreen(screen, base, chunk);
    return { results: await readResults(screen, base, chunk, report), ...remarkOf(report.invalid) };
  }
  return screenProgram(
    screen,
    chunk.filter(({ proposal }) => canSwitch(proposal)),
    { left: screen.batch.keepsBuild === true ? mostRounds.keptBuild : mostRounds.usual },
  );
}

/** Builds and runs one program of the chunk; removes proposals that do not build, in at most `rounds` builds. */
async function screenProgram(
  screen: Screen,
  chunk: readonly Ranked[],
  rounds: { left: number },
): Promise<Screening> {
  let open = chunk;
  const rejected: Results = [];
  while (open.length > 0 && rounds.left-- > 0) {
    const program = await composeChunk(screen.context, open);
    open = program.placed;
    if (open.length === 0) break;
    const report = await runScreen(screen, program.tree, open);
    if (report.complaints.length === 0) {
      const results = await readResults(screen, program.tree, open, report);
      return { results: [...rejected, ...results], ...remarkOf(report.invalid) };
    }
    const blamed = new Set([...findCulprits(program, report.complaints)].map((id) => id - 1));
    if (blamed.size === 0) {
      const halves = await screenHalves(screen, splitBySuspicion(open, report.complaints), rounds);
      return { ...remarkOf(describeComplaint(report.complaints)), results: [...rejected, ...halves] };
    }
    for (const rank of blamed)
      rejected.push({ rank, result: "does not load", fixed: 0, turned: [], broken: [] });
    open = open.filter(({ rank }) => !blamed.has(rank));
  }
  return { results: rejected };
}

/**
 * Tries two smaller programs, because one candidate caused an error outside all candidates' own texts (such as an unset
 * field).
 */
async function screenHalves(
  screen: Screen,
  [one, other]: readonly [readonly Ranked[], readonly Ranked[]],
  rounds: { left: number },
): Promise<Results> {
  if (one.length === 0 || other.length === 0) return [];
  const first = await screenProgram(screen, one, rounds);
  const second = await screenProgram(screen, other, rounds);
  return [...first.results, ...second.results];
}

/** Splits the chunk: first the candidates without a word of the complaints, if there are any; otherwise the halves. */
function splitBySuspicion(
  chunk: readonly Ranked[],
  complaints: readonly BuildComplaint[],
): readonly [readonly Ranked[], readonly Ranked[]] {
  const words = new Set(complaints.flatMap(({ message }) => message.match(/[\p{L}_$][\w$]*/gu) ?? []));
  // A function lacks its result where a loop is left.
  if (words.has("return")) words.add("break");
  const isSuspect = ({ proposal: { base, start, end, replacement } }: Ranked): boolean =>
    (`${base.slice(start, end)} ${replacement}`.match(/[\p{L}_$][\w$]*/gu) ?? []).some((word) =>
      words.has(word),
    );
  const others = chunk.filter((ranked) => !isSuspect(ranked));
  if (others.length > 0 && others.length < chunk.length) return [others, chunk.filter(isSuspect)];
  const middle = Math.ceil(chunk.length / 2);
  return [chunk.slice(0, middle), chunk.slice(middle)];
}

function remarkOf(remark: string | undefined): { remark?: string } {
  return remark === undefined ? {} : { remark };
}

function describeComplaint([first]: readonly BuildComplaint[]): string {
  return `a program with many candidates does not build: ${first?.file}:${first?.line}: ${first?.message}`;
}

function canSwitch({ file }: PreparedProposal): boolean {
  const language = languageOf(file);
  return language !== undefined && hasSelector(language);
}

interface Program extends CandidateProgram {
  readonly placed: readonly Ranked[];
}

/** Returns the base in which each file contains all its candidates. */
async function composeChunk({ workspace }: Screen["context"], chunk: readonly Ranked[]): Promise<Program> {
  const variants = chunk.map(({ proposal, rank }) => ({ ...proposal, id: rank + 1 }));
  const program = await composeProgram(workspace.trees, workspace.base, variants);
  return { ...program, placed: chunk.filter(({ rank }) => !program.left.has(rank + 1)) };
}

function runScreen(
  { context, executor, baseline, batch }: Screen,
  tree: string,
  chunk: readonly Ranked[],
  guards?: readonly TestKey[],
): Promise<BatchReport> {
  const times = timesFrom(baseline);
  const targets = baseline.targets.map((outcome) => outcome.key);
  return executor.runBatch(baseline.command, batch, {
    tree,
    tests: guards ?? targets,
    failing: guards === undefined ? targets : [],
    candidates: [...chunk.map(candidateOf), ...(guards === undefined ? [] : [unchangedLike(chunk)])],
    testTimeoutMs: times.testTimeoutMs,
    timeoutMs: Math.min(startMs + chunk.length * times.targetsTimeoutMs, context.limits.remainingMs()),
    stopAtFirstFailure: guards !== undefined || isDear(baseline),
    parallel: batch.keepsBuild === true ? context.parallel : 1,
  });
}

/** The number of the unchanged program. No proposal has it, so it selects no change. */
const unchangedId = 1_000_000_000;

function candidateOf({ proposal, rank }: Ranked): RunnableCandidate {
  return { id: rank + 1, files: [{ path: proposal.file, content: changedText(proposal) }] };
}

/** Makes a candidate that changes only the end of a file. */
function unchangedLike([first]: readonly Ranked[]): RunnableCandidate {
  const files =
    first === undefined ? [] : [{ path: first.proposal.file, content: `${first.proposal.base}\n` }];
  return { id: unchangedId, files };
}

async function readResults(
  screen: Screen,
  tree: string,
  chunk: readonly Ranked[],
  report: BatchReport,
): Promise<Results> {
  const { baseline } = screen;
  const results = [...report.outcomes].flatMap(([id, outcomes]): Results => {
    const turned = listPassed(outcomes, baseline);
    const fixed = turned.length;
    const rank = id - 1;
    if (fixed === baseline.targets.length) return [{ rank, result: "passes", fixed, turned: [], broken: [] }];
    // A test that was never reached says nothing about the candidate.
    return outcomes.some(({ status }) => isFailing(status))
      ? [{ rank, result: "fails", fixed, turned, broken: [] }]
      : [];
  });
  const asked = chooseGuarded(results, screen);
  if (asked.size === 0) return results;
  const broken = await findBroken(
    screen,
    tree,
    chunk.filter(({ rank }) => asked.has(rank)),
  );
  return results.map((each) => {
    const ids = asked.has(each.rank) ? broken.get(each.rank) : undefined;
    return ids === undefined ? each : { ...each, result: "breaks", broken: ids };
  });
}

/** Returns the ranks of the proposals whose run of all tests costs more than one further start. */
function chooseGuarded(results: Results, { baseline, batch }: Screen): ReadonlySet<number> {
  const passing = results.filter(({ result }) => result === "passes");
  const partial = results
    .filter(({ result, turned }) => result === "fails" && turned.length > 0)
    .sort((a, b) => a.rank - b.rank)
    .slice(0, mostPartial);
  const isLong = (passing.length + partial.length) * baseline.durationMs >= longMs;
  const isFew = passing.length < fewPassing && batch.keepsBuild !== true;
  const asked = isLong ? [...passing, ...partial] : isFew ? [] : passing;
  return new Set(asked.map(({ rank }) => rank));
}

/**
 * Runs tests that the changes probably break, in one start for all candidates. Otherwise each candidate would cost a
 * start of the whole suite. Proposals that pass the failing tests in the easiest way often break other tests. Returns,
 * by rank, the ids of tests that passed on the base and fail.
 */
async function findBroken(
  screen: Screen,
  tree: string,
  passing: readonly Ranked[],
): Promise<Map<number, string[]>> {
  const guards = chooseGuards(
    screen.baseline.outcomes,
    screen.coverage,
    passing.map(({ proposal }) => proposal),
  );
  if (guards.length === 0) return new Map();
  const { outcomes } = await runScreen(screen, tree, passing, guards);
  const unchanged = outcomes.get(unchangedId);
  // A test may fail because it runs in a batch: without the unchanged program in the same start, there is no
  // conclusion.
  if (unchanged === undefined) return new Map();
  const sound = new Set(
    unchanged.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key)),
  );
  const failing = passing.map(({ rank }) => {
    const failed = (outcomes.get(rank + 1) ?? []).filter(({ status }) => isFailing(status));
    return [rank, failed.map(({ key }) => formatTestKey(key)).filter((id) => sound.has(id))] as const;
  });
  return new Map(failing.filter(([, broken]) => broken.length > 0));
}
