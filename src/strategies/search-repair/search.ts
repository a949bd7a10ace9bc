/**
 * Tries the proposals in order, in several checkouts in parallel. The result does not depend on the speed of the
 * checkouts.
 */

import type { Baseline } from "../../agent/measure/baseline.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { CoveredLines } from "../../domain/test-outcome.ts";
import type { Batch } from "../../languages/contract.ts";
import { listStrongDoubts } from "../../repair/rank-plausible.ts";
import {
  hangs,
  ignoreOutOfTime,
  inTime,
  judgeCandidate,
  judgeInStep,
  judgePartial,
  stepKey,
  type Verdict,
} from "./funnel.ts";
import { changedText, type ProposalQueue, type Ranked } from "./proposals.ts";
import { type Screening, screeningSchema, screenProposals } from "./screening.ts";

/** A proposal that the search has tried, in a batch or separately. */
export interface Tried extends Ranked {
  readonly verdict: Verdict;
}

/** A proposal that was tried separately, with its change in the plain source instead of a batch. */
export interface Judged extends Tried {
  readonly candidate: Candidate;
}

export interface SearchEnd {
  /** The tried proposals, in their order. */
  readonly tried: readonly Tried[];
  /** Proposals that pass all tests, as plain source. */
  readonly plausible: readonly Judged[];
  /** Proposals that repair some of the failing tests and break no other test, as plain source. */
  readonly partial: readonly Judged[];
  /** The limit that ended the search, if any. */
  readonly limit: string | undefined;
  readonly remarks: readonly string[];
}

export interface SearchInput {
  /** Returns the executor with this index; there is one for each core. Opens each but the first at its first request. */
  readonly executorAt: (index: number) => Promise<TestExecutor>;
  /** The round: 1, or higher if an earlier round left some of the failing tests. Part of the steps' keys. */
  readonly round: number;
  /** The candidate that is the round's base; absent if the round starts from the run's base. */
  readonly parent?: string;
  readonly baseline: Baseline;
  /** True if the failing tests run nearly the same code. One fault is then likelier than several. */
  readonly isOneGroup: boolean;
  /** The framework's batch runner for many candidates; undefined if it has none. */
  readonly batch: Batch | undefined;
  /** Each test's covered lines on the base. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  readonly queue: ProposalQueue;
}

/**
 * Number of further candidates after the first plausible one. The search chooses among those that pass everything. In
 * batches, candidates cost little.
 */
const lookAhead = { alone: 12, inBatches: 24 };
/**
 * Number of further candidates after the first one that repairs some of the failing tests. A complete repair may come
 * later.
 */
const lookAheadForAll = { alone: 40, inBatches: 200 };
/** Factor for `lookAheadForAll` if the failing tests run nearly the same code. */
const oneGroupPatience = 8;
/** Maximum number of candidates run on all tests: for the same set of repaired tests, and in total. */
const mostPartial = { alike: 4, all: 12 };
const mostPartialOfOneGroup = { alike: 2, all: 4 };
/**
 * Number of candidates to screen before partial repairs run on all tests, if one fault is likelier. Such runs are
 * expensive.
 */
const partialFrom = 200;
/** Time for partial repairs at the end: a start, in milliseconds, and runs of all tests. */
const startMs = 10_000;
const partialRuns = 2;
/**
 * Factor for the further candidates after a plausible one that deletes or neutralises code. The correct candidate often
 * comes second.
 */
const lastResortPatience = 4;
/** Number of consecutive candidates without a result in batches, after which each candidate has a separate start. */
const mostSilent = 32;
/**
 * The size of the first batch. Each batch is at most as large as all earlier ones together, because most successful
 * repairs come early. A swap costs a start of the tests, and a schema also a build.
 */
const firstBatch: Readonly<Record<Batch["kind"], number>> = { swap: 8, schema: 32 };

export type SearchContext = Pick<StrategyContext, "workspace" | "limits" | "signal" | "parallel"> & {
  readonly recorder: Pick<StrategyContext["recorder"], "append" | "step">;
};

interface Search extends SearchInput {
  /** The search's context. Its limits exclude the reserve. */
  readonly context: SearchContext;
  /** Milliseconds reserved for the final verdict. */
  readonly reserve: { ms: number };
  readonly tried: (Tried | undefined)[];
  readonly remarks: Set<string>;
  /** Number of candidates without a result in the latest batches. */
  silent: number;
  /**
   * True after a batch judged nothing and gave a reason, or after several batches judged nothing. From then on, each
   * candidate has a separate program start.
   */
  unfit: boolean;
  /** The search does not try proposals from this rank on. */
  last: number;
  /** True if a partial repair soon ends the search. */
  takesPartial: boolean;
  readonly partial: Map<number, Judged>;
  /** Resolves when the search has judged all chunks taken so far. */
  judged: Promise<void>;
  /** Chunks whose partial repairs have not run all tests yet. */
  deferred: readonly Ranked[];
  /** Remaining milliseconds at the start of the search; Infinity without a limit. */
  readonly beganWithMs: number;
  /** Counts the candidates that ran with all tests, by the failing tests that pass with them. */
  readonly asked: Map<string, number>;
  limit: string | undefined;
  /** The first rank that is not in the record yet. */
  noted: number;
}

export interface RunningSearch {
  /**
   * Validates candidates until one is plausible, and then a few more. Also ends if no proposal is left, or at a limit.
   * With `takesPartial`, also ends a number of candidates after a partial repair. A further call continues after the
   * last candidate of the previous call. Without a limit, the result depends only on the order of the proposals, not on
   * the executors' speed.
   */
  run(options: { readonly takesPartial: boolean }): Promise<SearchEnd>;
}

export function openSearch(context: SearchContext, input: SearchInput): RunningSearch {
  const reserve = { ms: 0 };
  const remainingMs = (): number => Math.max(0, context.limits.remainingMs() - reserve.ms);
  const search: Search = {
    ...input,
    context: { ...context, limits: { ...context.limits, remainingMs } },
    reserve,
    tried: [],
    remarks: new Set(),
    silent: 0,
    unfit: false,
    last: Number.POSITIVE_INFINITY,
    takesPartial: false,
    partial: new Map(),
    judged: Promise.resolve(),
    deferred: [],
    beganWithMs: remainingMs(),
    asked: new Map(),
    limit: undefined,
    noted: 0,
  };
  return {
    async run({ takesPartial }) {
      search.last = Number.POSITIVE_INFINITY;
      search.takesPartial = takesPartial && isSplittable(input.baseline);
      const most = input.batch?.keepsBuild === true ? 1 : context.parallel;
      const executors = Math.max(1, Math.min(most, await input.queue.peek(most)));
      try {
        await settleAll(
          Array.from({ length: executors }, async (_, index) => work(search, await input.executorAt(index))),
        );
      } finally {
        await search.judged;
      }
      return endOf(search);
    },
  };
}

function endOf({ tried: all, last, partial, limit, remarks }: Search): SearchEnd {
  const tried = all.slice(0, last).filter((each) => each !== undefined);
  return {
    tried,
    plausible: tried.filter((each): each is Judged => "candidate" in each && isPlausible(each)),
    partial: [...partial.values()].filter(({ rank }) => rank < last).sort((a, b) => a.rank - b.rank),
    limit,
    remarks: [...remarks],
  };
}

/** True if partial repairs may count: several tests fail, and none of them hangs. Hanging tests cost too much for this. */
function isSplittable({ targets }: Baseline): boolean {
  return targets.length > 1 && !targets.some(hangs);
}

function isPlausible({ verdict }: Tried): boolean {
  return verdict.verdict === "plausible";
}

async function work(search: Search, executor: TestExecutor): Promise<void> {
  const { context, queue } = search;
  while (queue.taken < search.last) {
    if (isOver(search)) return;
    const batch = search.unfit ? undefined : search.batch;
    const size =
      batch === undefined ? 1 : Math.min(batch.size, Math.max(firstBatch[batch.kind], queue.taken));
    const chunk = await takeChunk(search, Math.min(size, context.limits.remainingSteps()));
    if (chunk.length === 0) {
      if (isOver(search) || !search.takesPartial) return;
      await search.judged;
      await judgeDeferred(search, executor);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const earlier = search.judged;
    search.judged = promise;
    try {
      const open =
        batch === undefined
          ? { passing: [], undecided: chunk }
          : await screenChunk(search, executor, batch, chunk);
      for (const ranked of [...open.passing, ...open.undecided]) {
        if (isOver(search)) return;
        const isScreened = open.passing.includes(ranked);
        if (ranked.rank < search.last) await judgeAlone(search, executor, ranked, isScreened);
      }
      if (!search.takesPartial) continue;
      search.deferred = [...search.deferred, ...chunk].sort((a, b) => a.rank - b.rank);
      const upTo = chunk.at(-1)?.rank ?? 0;
      if (search.isOneGroup && isBatched(search) && upTo < partialFrom && !isLate(search)) continue;
      // In the order of the chunks: the number of runs depends on earlier ones.
      await earlier;
      await judgeDeferred(search, executor, upTo);
    } finally {
      void earlier.then(() => {
        noteJudged(search, chunk);
        resolve();
      });
    }
  }
}

/**
 * Records the verdicts up to the end of a chunk, by rank. These are the candidates that the report counts. Batches also
 * judge some candidates after the last one that counts.
 */
function noteJudged(search: Search, chunk: readonly Ranked[]): void {
  const end = Math.min((chunk.at(-1)?.rank ?? -1) + 1, search.last);
  for (; search.noted < end; search.noted += 1) {
    const judged = search.tried[search.noted];
    if (judged === undefined) continue;
    const { rank, verdict } = judged;
    search.context.recorder.append({
      event: "candidate-judged",
      candidate: idOf(search, judged),
      verdict: verdict.verdict,
      rank,
    });
  }
}

function judgeDeferred(
  search: Search,
  executor: TestExecutor,
  upTo = Number.POSITIVE_INFINITY,
): Promise<void> {
  const chunk = search.deferred.filter(({ rank }) => rank <= upTo);
  search.deferred = search.deferred.filter(({ rank }) => rank > upTo);
  // All up to there are judged. A repair of all failing tests makes partial ones needless.
  const isRepaired = search.tried.some(
    (each) => each !== undefined && each.rank <= upTo && isPlausible(each),
  );
  return isRepaired ? Promise.resolve() : judgePartly(search, executor, chunk);
}

/**
 * True if partial repairs need the remaining time. A partial repair is then better than none. Before that, a candidate
 * that may repair all tests is better.
 */
function isLate({ context, baseline, beganWithMs }: Search): boolean {
  const neededMs = startMs + partialRuns * baseline.durationMs;
  return context.limits.remainingMs() < Math.min(beganWithMs / 2, neededMs);
}

/** Runs all tests on the chunk's partial repairs: the likeliest of each set of repaired tests. */
async function judgePartly(search: Search, executor: TestExecutor, chunk: readonly Ranked[]): Promise<void> {
  const { context, baseline, tried, asked } = search;
  const most = search.isOneGroup ? mostPartialOfOneGroup : mostPartial;
  for (const { rank } of chunk) {
    const each = tried[rank];
    if (each === undefined || each.verdict.verdict !== "failing tests still fail") continue;
    const turned = each.verdict.turned.join(" ");
    const sum = [...asked.values()].reduce((total, count) => total + count, 0);
    if (turned === "" || (asked.get(turned) ?? 0) >= most.alike || sum >= most.all) continue;
    if (rank >= search.last || context.limits.remainingMs() === 0) return;
    asked.set(turned, (asked.get(turned) ?? 0) + 1);
    const candidate = await makeCandidate(search, each);
    const { tree, origin } = candidate;
    const options = { key: stepKey("judge-partial", tree, baseline), title: `all tests on ${origin}` };
    const verdict = await judgeInStep(context, options, () =>
      judgePartial(context, executor, baseline, tree),
    );
    if (verdict === undefined || verdict.turned.length === 0) continue;
    search.partial.set(rank, { ...each, candidate, verdict });
    const patience = search.isOneGroup ? oneGroupPatience : 1;
    const ahead = patience * (isBatched(search) ? lookAheadForAll.inBatches : lookAheadForAll.alone);
    search.last = Math.min(search.last, rank + ahead + 1);
  }
}

function isBatched({ batch, unfit }: Search): boolean {
  return batch !== undefined && !unfit;
}

function isOver(search: Search): boolean {
  const { limits } = search.context;
  search.limit ??= limits.exhausted();
  return search.limit !== undefined || limits.remainingMs() === 0;
}

async function takeChunk({ queue, last, context }: Search, size: number): Promise<Ranked[]> {
  const chunk = await queue.take(Math.max(1, Math.min(size, last - queue.taken)));
  for (const _ of chunk) context.limits.spendStep();
  return chunk;
}

interface Screened {
  readonly passing: readonly Ranked[];
  readonly undecided: readonly Ranked[];
}

/** Screens a chunk: records the candidates that fail, and returns the others. */
async function screenChunk(
  search: Search,
  executor: TestExecutor,
  batch: Batch,
  chunk: readonly Ranked[],
): Promise<Screened> {
  const { context, baseline, coverage, remarks } = search;
  const [first] = chunk;
  const options = {
    key: `screen:${search.round === 1 ? "" : `${context.workspace.base}:`}${first?.rank ?? 0}:${chunk.length}`,
    title: `${countOf(chunk.length, "candidate")} at once, from ${first?.proposal.file}:${first?.proposal.line}`,
    schema: screeningSchema,
    large: true,
  };
  const screening = await context.recorder
    .step(options, () =>
      inTime(context, screenProposals({ context, executor, baseline, batch, coverage }, chunk)),
    )
    .catch(ignoreOutOfTime);
  if (screening === undefined) return { passing: [], undecided: [] };
  if (screening.remark !== undefined) remarks.add(screening.remark);
  search.silent = screening.results.length === 0 ? search.silent + chunk.length : 0;
  if (screening.results.length === 0 && (screening.remark !== undefined || search.silent >= mostSilent))
    search.unfit = true;
  const results = new Map(screening.results.map((result) => [result.rank, result]));
  for (const ranked of chunk) noteScreened(search, ranked, results.get(ranked.rank));
  const passing = chunk.filter(({ rank }) => results.get(rank)?.result === "passes");
  return { passing, undecided: chunk.filter(({ rank }) => !results.has(rank)) };
}

const verdicts = {
  fails: "failing tests still fail",
  "does not load": "does not load",
  breaks: "breaks other tests",
} as const;

function noteScreened(
  search: Search,
  ranked: Ranked,
  screened: Screening["results"][number] | undefined,
): void {
  if (screened === undefined || screened.result === "passes") return;
  const { result, fixed, turned, broken } = screened;
  const verdict = verdicts[result];
  search.tried[ranked.rank] = { ...ranked, verdict: { verdict, fixed, turned, othersFixed: 0, broken } };
}

/**
 * Judges a candidate alone. `isScreened`: the candidate passed the failing tests in a batch, so all tests run at once.
 */
async function judgeAlone(
  search: Search,
  executor: TestExecutor,
  ranked: Ranked,
  isScreened: boolean,
): Promise<void> {
  const { context, baseline } = search;
  const started = performance.now();
  const candidate = await makeCandidate(search, ranked);
  const options = { key: stepKey("judge", candidate.tree, baseline), title: candidate.origin };
  const verdict = await judgeInStep(context, options, () =>
    judgeCandidate(context, executor, baseline, candidate.tree, isScreened),
  );
  if (verdict === undefined) return; // the next iteration detects the limit
  if (verdict.verdict === "plausible") {
    context.recorder.append({ event: "candidate-created", candidate });
    // All tests again, and the failing ones alternately with and without the patch, in a checkout with a new build.
    const tookMs = (isScreened ? 2 : 1) * (performance.now() - started);
    search.reserve.ms = Math.max(search.reserve.ms, 2 * tookMs + baseline.durationMs);
    const { proposal } = ranked;
    const patience = listStrongDoubts(proposal.base, proposal).length > 0 ? lastResortPatience : 1;
    const ahead = patience * (isBatched(search) ? lookAhead.inBatches : lookAhead.alone);
    search.last = Math.min(search.last, ranked.rank + ahead + 1);
  }
  const judged: Judged = { ...ranked, candidate, verdict };
  search.tried[ranked.rank] = judged;
}

function idOf({ round }: Search, { rank }: Ranked): string {
  return `${round === 1 ? "" : `r${round}-`}c${rank + 1}`;
}

async function makeCandidate(search: Search, ranked: Ranked): Promise<Candidate> {
  const { proposal } = ranked;
  const { trees, base } = search.context.workspace;
  const tree = await trees.write(base, [{ path: proposal.file, content: changedText(proposal) }]);
  const origin = `${proposal.template} at ${proposal.file}:${proposal.line}: ${proposal.description}`;
  const parent = search.parent === undefined ? {} : { parent: search.parent };
  return { id: idOf(search, ranked), ...parent, tree, kind: "code", origin };
}

/** Waits for all tasks, and then throws the first error. No task may run when the caller continues. */
async function settleAll(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}
