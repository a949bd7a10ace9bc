/** Goes through the proposals in their order with several benches at once, so that the result does not depend on speed. */

import type { Baseline } from "../../agent/measure/baseline.ts";
import type { TestBench } from "../../agent/measure/test-bench.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { CoveredLines } from "../../domain/test-outcome.ts";
import type { Batch } from "../../languages/contract.ts";
import { judgeCandidate, judgePartial, type Verdict, verdictSchema } from "./funnel.ts";
import type { PreparedProposal as Proposal } from "./proposals.ts";
import { type Ranked, type Screening, screeningSchema, screenProposals } from "./screening.ts";

/** A proposal that was tried, in a batch or alone. */
export interface Tried extends Ranked {
  readonly verdict: Verdict;
}

/** One that was tried alone, as plain source. */
export interface Judged extends Tried {
  readonly candidate: Candidate;
}

export interface SearchEnd {
  /** In the order of the proposals. */
  readonly tried: readonly Tried[];
  /** Those of them that pass everything, as plain source. */
  readonly plausible: readonly Judged[];
  /** The limit that ended the search, if one did. */
  readonly limit: string | undefined;
  readonly remarks: readonly string[];
}

export interface SearchInput {
  readonly benches: readonly TestBench[];
  readonly baseline: Baseline;
  /** How the framework tries many at once; undefined where it cannot. */
  readonly batch: Batch | undefined;
  /** Of each test on the base. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  readonly proposals: readonly Proposal[];
}

/**
 * How many more candidates are tried after the first plausible one, to choose among those that pass everything; in batches they
 * cost little.
 */
const lookAhead = { alone: 12, inBatches: 24 };
/** The first batch is small: most repairs that are found stand early. */
const firstBatch = 32;

interface Search extends SearchInput {
  readonly context: StrategyContext;
  readonly tried: (Tried | undefined)[];
  readonly remarks: Set<string>;
  /** A batch judged nothing, and said why: from then on each candidate has a start of its own. */
  unfit: boolean;
  /** The first proposal that no bench has taken. */
  next: number;
  /** Proposals from here on are not tried any more. */
  last: number;
  limit: string | undefined;
}

/**
 * Validates candidates until one is plausible and a few more were tried after it, the proposals are used up, or a limit is.
 * What it returns depends on the order of the proposals only, not on which bench was quicker (unless a limit struck).
 */
export async function searchRepairs(context: StrategyContext, input: SearchInput): Promise<SearchEnd> {
  const { proposals, benches } = input;
  const search: Search = {
    ...input,
    context,
    tried: [],
    remarks: new Set(),
    unfit: false,
    next: 0,
    last: proposals.length,
    limit: undefined,
  };
  await settleAll(benches.map((bench) => work(search, bench)));
  const tried = search.tried.slice(0, search.last).filter((each) => each !== undefined);
  return {
    tried,
    plausible: tried.filter((each): each is Judged => "candidate" in each && isPlausible(each)),
    limit: search.limit,
    remarks: [...search.remarks],
  };
}

function isPlausible({ verdict }: Tried): boolean {
  return verdict.verdict === "plausible";
}

async function work(search: Search, bench: TestBench): Promise<void> {
  const { context } = search;
  while (search.next < search.last) {
    search.limit ??= context.limits.exhausted();
    if (search.limit !== undefined) return;
    const batch = search.unfit ? undefined : search.batch;
    const size = batch === undefined ? 1 : search.next === 0 ? Math.min(firstBatch, batch.size) : batch.size;
    const chunk = takeChunk(search, Math.min(size, context.limits.remainingSteps()));
    const open = batch === undefined ? chunk : await screenChunk(search, bench, batch, chunk);
    for (const ranked of open) {
      search.limit ??= context.limits.exhausted();
      if (search.limit !== undefined) return;
      if (ranked.rank < search.last) await judgeAlone(search, bench, ranked);
    }
  }
}

function takeChunk(search: Search, size: number): Ranked[] {
  const first = search.next;
  search.next = Math.min(search.last, first + Math.max(1, size));
  for (let rank = first; rank < search.next; rank++) search.context.limits.spendStep();
  return search.proposals.slice(first, search.next).map((proposal, at) => ({ proposal, rank: first + at }));
}

/** Notes those that fail, and returns the others: those that pass first, then those of which nothing could be said. */
async function screenChunk(
  search: Search,
  bench: TestBench,
  batch: Batch,
  chunk: readonly Ranked[],
): Promise<Ranked[]> {
  const { context, baseline, coverage, remarks } = search;
  const [first] = chunk;
  const options = {
    key: `screen:${first?.rank ?? 0}:${chunk.length}`,
    title: `${countOf(chunk.length, "candidate")} at once, from ${first?.proposal.file}:${first?.proposal.line}`,
    schema: screeningSchema,
    large: true,
  };
  const screening = await context.recorder
    .step(options, () =>
      inTime(context, screenProposals({ context, bench, baseline, batch, coverage }, chunk)),
    )
    .catch(ignoreOutOfTime);
  if (screening === undefined) return [];
  if (screening.remark !== undefined) remarks.add(screening.remark);
  if (screening.remark !== undefined && screening.results.length === 0) search.unfit = true;
  const results = new Map(screening.results.map((result) => [result.rank, result]));
  for (const ranked of chunk) noteScreened(search, ranked, results.get(ranked.rank));
  const passing = chunk.filter(({ rank }) => results.get(rank)?.result === "passes");
  return [...passing, ...chunk.filter(({ rank }) => !results.has(rank))];
}

const verdicts = {
  fails: "failing tests still fail",
  "does not load": "does not load",
  breaks: "breaks other tests",
} as const;

function noteScreened(
  { context, tried }: Search,
  ranked: Ranked,
  screened: Screening["results"][number] | undefined,
): void {
  if (screened === undefined || screened.result === "passes") return;
  const { result, fixed, broken } = screened;
  const verdict = verdicts[result];
  tried[ranked.rank] = { ...ranked, verdict: { verdict, fixed, othersFixed: 0, broken } };
  context.recorder.append({
    event: "candidate-judged",
    candidate: idOf(ranked),
    verdict,
    rank: ranked.rank,
  });
}

async function judgeAlone(search: Search, bench: TestBench, ranked: Ranked): Promise<void> {
  const { context, baseline } = search;
  const candidate = await makeCandidate(context, ranked);
  const options = { key: `judge:${candidate.tree}`, title: candidate.origin, schema: verdictSchema };
  const verdict = await context.recorder
    .step(options, () => inTime(context, judgeCandidate(context, bench, baseline, candidate.tree)))
    .catch(ignoreOutOfTime);
  if (verdict === undefined) return; // the next turn finds the limit
  if (verdict.verdict === "plausible") {
    context.recorder.append({ event: "candidate-created", candidate });
    const ahead = search.batch === undefined || search.unfit ? lookAhead.alone : lookAhead.inBatches;
    search.last = Math.min(search.last, ranked.rank + ahead + 1);
  }
  context.recorder.append({
    event: "candidate-judged",
    candidate: candidate.id,
    verdict: verdict.verdict,
    rank: ranked.rank,
  });
  const judged: Judged = { ...ranked, candidate, verdict };
  search.tried[ranked.rank] = judged;
}

function idOf({ rank }: Ranked): string {
  return `c${rank + 1}`;
}

async function makeCandidate({ workspace }: StrategyContext, ranked: Ranked): Promise<Candidate> {
  const { proposal } = ranked;
  const tree = await workspace.trees.write(workspace.base, [{ path: proposal.file, content: proposal.text }]);
  const origin = `${proposal.template} at ${proposal.file}:${proposal.line}: ${proposal.description}`;
  return { id: idOf(ranked), tree, kind: "code", origin };
}

/** How many partial repairs are looked at more closely. */
const mostPartial = 5;

/**
 * Where nothing is plausible: the candidate that makes most of the failing tests pass and breaks none, if there is one.
 * Several faults in one repository end here.
 */
export async function findPartialRepair(
  context: StrategyContext,
  bench: TestBench,
  baseline: Baseline,
  tried: readonly Tried[],
): Promise<Judged | undefined> {
  const partly = tried.filter(
    ({ verdict }) => verdict.verdict === "failing tests still fail" && verdict.fixed > 0,
  );
  const first = [...partly]
    .sort((a, b) => b.verdict.fixed - a.verdict.fixed || a.rank - b.rank)
    .slice(0, mostPartial);
  let best: Judged | undefined;
  for (const each of first) {
    if (context.limits.remainingMs() === 0) break;
    const candidate = await makeCandidate(context, each);
    const { tree, origin } = candidate;
    const options = { key: `judge-partial:${tree}`, title: `all tests on ${origin}`, schema: verdictSchema };
    const verdict = await context.recorder.step(options, () => judgePartial(context, bench, baseline, tree));
    if (verdict.fixed > (best?.verdict.fixed ?? 0)) best = { ...each, candidate, verdict };
  }
  return best;
}

/** Waits for all, then throws the first error: nothing may still run when the caller goes on. */
async function settleAll(tasks: readonly Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

/** Leaves a step without a result; caught where the candidates are handed out. */
const outOfTime = new Error("the time limit was reached");

/** A run that the time limit cut short says nothing about its candidates: they are judged again on resume. */
async function inTime<T>({ limits }: StrategyContext, judging: Promise<T>): Promise<T> {
  const judged = await judging;
  if (limits.remainingMs() === 0) throw outOfTime;
  return judged;
}

function ignoreOutOfTime(error: unknown): undefined {
  if (error !== outOfTime) throw error;
}
