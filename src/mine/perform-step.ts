/**
 * Runs one step over all candidates. Decides each candidate once, stores the verdict under a hash of its inputs, and
 * notes it in the ledger.
 */
import type { z } from "zod";
import { countOf } from "../base/count.ts";
import { hashData } from "../base/hash.ts";
import { executeJob, type Job } from "../bench/job.ts";
import { runPool } from "../bench/pool.ts";
import {
  type Candidate,
  type Change,
  type Outcome,
  outcomeOf,
  type StepName,
  verdictLine,
} from "./contract.ts";
import type { HistoryTrees } from "./history-trees.ts";
import type { Ledger } from "./ledger.ts";
import type { MineRequest } from "./settings.ts";
import type { slowSteps } from "./slow-step.ts";
import { reportStep, type StepReport } from "./step-report.ts";

export interface Work extends MineRequest {
  readonly trees: HistoryTrees;
  readonly ledger: Ledger;
  /** Existing tasks of the dataset, if the step adds new tasks to it. */
  readonly earlier: readonly Candidate[];
  /** Changes that earlier runs could not decide, if the step adds new tasks. */
  readonly unfinished: readonly Change[];
}

export interface Done {
  readonly kept: readonly Candidate[];
  /** Changes that ended in an infrastructure error. */
  readonly unfinished: readonly Change[];
  readonly report: StepReport;
}

interface Decision<T> {
  readonly type: z.ZodType<T>;
  /** Returns a verdict that needs no work and is not stored; undefined if `decide` must determine the verdict. */
  known?(candidate: Candidate): Outcome<never> | undefined;
  /** Returns the values on which the verdict depends. */
  depends(candidate: Candidate): readonly unknown[];
  decide(candidate: Candidate): Promise<Outcome<T>>;
  /** The step as a queue's workers know it, if they can decide instead of `decide`. */
  readonly slow?: (typeof slowSteps)[number];
  lay(candidate: Candidate, value: T): Candidate;
  /** Returns the reason to drop a laid candidate; undefined keeps it. The step does not store this reason. */
  judge?(candidate: Candidate): Outcome<never> | undefined;
  /**
   * Compares a kept candidate with the others. Returns the reason to drop the candidate; undefined keeps it. The step
   * calls this function in order, after all decisions.
   */
  weigh?(candidate: Candidate): Outcome<never> | undefined | Promise<Outcome<never> | undefined>;
  readonly workers: number;
}

interface Decided {
  readonly candidate: Candidate;
  readonly key: string;
  readonly outcome: Outcome<unknown>;
  /** True for a verdict of this run, false for a stored one. */
  readonly isNew: boolean;
}

type Verdict = Omit<Decided, "isNew">;

export async function perform<T>(
  work: Work,
  step: Exclude<StepName, "publish">,
  candidates: readonly Candidate[],
  { type, known: knownVerdict, depends, decide, slow, lay, judge, weigh, workers }: Decision<T>,
): Promise<Done> {
  const { store, options, settings, elsewhere } = work;
  const { given, suiteLimitMs } = settings;
  if (candidates.length > 0) work.onProgress(`${step}: ${countOf(candidates.length, "change")} to judge`);
  const decideOne = async (candidate: Candidate): Promise<Decided> => {
    const key = hashData([`mine-${step}`, ...depends(candidate)]);
    const told = knownVerdict?.(candidate);
    if (told !== undefined) return { candidate, key, outcome: told, isNew: false };
    const job = outcomeJob(step, key, type, async () =>
      elsewhere === undefined || slow === undefined
        ? decide(candidate)
        : outcomeOf(type).parse(await elsewhere({ step: slow, key, candidate, given, suiteLimitMs })),
    );
    const { result, known } = await executeJob(job, store, options.signal);
    const laid = result.verdict === "kept" ? lay(candidate, result.value) : candidate;
    const outcome = (result.verdict === "kept" ? judge?.(laid) : undefined) ?? result;
    const own: Decided = { candidate: laid, key, outcome, isNew: !known };
    if (!known) work.onVerdict(step, laid, outcome);
    if (weigh === undefined || outcome.verdict !== "kept") note(work, step, own);
    return own;
  };
  const decided = await runPool(candidates, {
    // With a queue, the workers limit how many changes run at the same time.
    workers: elsewhere === undefined || slow === undefined ? workers : Math.max(candidates.length, 1),
    ...{ retries: 0, signal: options.signal },
    work: decideOne,
    isRetried: () => false,
    onResult: () => {},
  });
  const weighed: Decided[] = [];
  for (const each of decided) {
    const objection = each.outcome.verdict === "kept" ? await weigh?.(each.candidate) : undefined;
    if (objection !== undefined && each.isNew) work.onVerdict(step, each.candidate, objection);
    weighed.push(objection === undefined ? each : { ...each, outcome: objection });
  }
  return conclude(work, step, weighed);
}

/** Makes the job that decides one change in a step. `type`: the result's type if the step keeps the change. */
export function outcomeJob<T>(
  step: string,
  key: string,
  type: z.ZodType<T>,
  execute: () => Promise<Outcome<T>>,
): Job<Outcome<T>> {
  return {
    ...{ key, execute },
    kind: { schema: `millwright.mine-${step}/1`, type: outcomeOf(type) },
    isFinal: ({ verdict }) => verdict !== "error",
    onError: (detail) => ({ verdict: "error", cause: "infrastructure", detail }),
  };
}

/** Writes each decision to the ledger. Returns the step's report, and the kept and the undecided candidates. */
export function conclude(work: Work, step: StepName, decided: readonly Verdict[]): Done {
  for (const each of decided) note(work, step, each);
  const endedIn = (verdict: Outcome<unknown>["verdict"]): Candidate[] =>
    decided.filter(({ outcome }) => outcome.verdict === verdict).map(({ candidate }) => candidate);
  return {
    kept: endedIn("kept"),
    unfinished: endedIn("error").map(({ change }) => change),
    report: reportStep(step, decided.map(lineOf)),
  };
}

function note({ ledger }: Work, step: StepName, decided: Verdict): void {
  ledger.note({ step, key: decided.key, ...lineOf(decided) });
}

function lineOf({ candidate: { change }, outcome }: Verdict) {
  const { id, commit, language } = change;
  return { candidate: id, commit, language, ...verdictLine(outcome) };
}
