/** Goes through the proposals in their order with several benches at once, so that the result does not depend on speed. */

import type { Baseline } from "../../agent/baseline.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestBench } from "../../agent/test-bench.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { judgeCandidate, judgePartial, type Verdict, verdictSchema } from "./funnel.ts";
import type { PreparedProposal as Proposal } from "./proposals.ts";

export interface Judged {
  readonly candidate: Candidate;
  readonly proposal: Proposal;
  /** Its place in the order of the proposals, from 0. */
  readonly rank: number;
  readonly verdict: Verdict;
}

export interface SearchEnd {
  /** In the order of the proposals. */
  readonly judged: readonly Judged[];
  /** The limit that ended the search, if one did. */
  readonly limit: string | undefined;
}

/** How many more candidates are tried after the first plausible one, to choose among those that pass everything. */
const lookAhead = 12;

/**
 * Validates candidates until one is plausible and a few more were tried after it, the proposals are used up, or a limit is.
 * What it returns depends on the order of the proposals only, not on which bench was quicker (unless a limit struck).
 */
export async function searchRepairs(
  context: StrategyContext,
  benches: readonly TestBench[],
  baseline: Baseline,
  proposals: readonly Proposal[],
): Promise<SearchEnd> {
  const judged: (Judged | undefined)[] = [];
  let next = 0;
  let last = proposals.length;
  let limit: string | undefined;

  async function work(bench: TestBench): Promise<void> {
    while (next < last) {
      limit ??= context.limits.exhausted();
      if (limit !== undefined) return;
      const rank = next++;
      const proposal = proposals[rank];
      if (proposal === undefined) return;
      context.limits.spendStep();
      const result = await judgeProposal(context, bench, baseline, proposal, rank).catch(ignoreOutOfTime);
      if (result === undefined) continue; // the next turn finds the limit
      judged[rank] = result;
      if (result.verdict.verdict === "plausible") last = Math.min(last, rank + lookAhead + 1);
    }
  }

  await settleAll(benches.map(work));
  return { judged: judged.slice(0, last).filter((each) => each !== undefined), limit };
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
  judged: readonly Judged[],
): Promise<Judged | undefined> {
  const partly = judged.filter(
    ({ verdict }) => verdict.verdict === "failing tests still fail" && verdict.fixed > 0,
  );
  const first = [...partly]
    .sort((a, b) => b.verdict.fixed - a.verdict.fixed || a.rank - b.rank)
    .slice(0, mostPartial);
  let best: Judged | undefined;
  for (const each of first) {
    if (context.limits.remainingMs() === 0) break;
    const { tree, origin } = each.candidate;
    const options = { key: `judge-partial:${tree}`, title: `all tests on ${origin}`, schema: verdictSchema };
    const verdict = await context.recorder.step(options, () => judgePartial(context, bench, baseline, tree));
    if (verdict.fixed > (best?.verdict.fixed ?? 0)) best = { ...each, verdict };
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

function ignoreOutOfTime(error: unknown): undefined {
  if (error !== outOfTime) throw error;
}

async function judgeProposal(
  context: StrategyContext,
  bench: TestBench,
  baseline: Baseline,
  proposal: Proposal,
  rank: number,
): Promise<Judged> {
  const { workspace, recorder } = context;
  const tree = await workspace.trees.write(workspace.base, [{ path: proposal.file, content: proposal.text }]);
  const origin = `${proposal.template} at ${proposal.file}:${proposal.line}: ${proposal.description}`;
  const candidate: Candidate = { id: `c${rank + 1}`, tree, kind: "code", origin };
  const options = { key: `judge:${tree}`, title: origin, schema: verdictSchema };
  const verdict = await recorder.step(options, async () => {
    const judged = await judgeCandidate(context, bench, baseline, tree);
    // A run that the time limit cut short says nothing about the candidate: it is judged again on resume.
    if (context.limits.remainingMs() === 0) throw outOfTime;
    return judged;
  });
  if (verdict.verdict === "plausible") recorder.append({ event: "candidate-created", candidate });
  recorder.append({ event: "candidate-judged", candidate: candidate.id, verdict: verdict.verdict, rank });
  return { candidate, proposal, rank, verdict };
}
