/** One cell of a batch: a task, attempted by an arm and graded from the patch alone. */
import type { Outcome, StatedUsage, Strength } from "../domain/solve-report.ts";
import { type Arm, type AttemptOptions, type AttemptResult, attemptJob } from "./attempt.ts";
import { type GradeResult, gradeJob } from "./grade-task.ts";
import type { GradedTask } from "./graded-task.ts";
import type { GradeOutcome } from "./graders/contract.ts";
import { executeJob } from "./job.ts";
import type { GradingOptions } from "./open-task.ts";
import type { ResultStore } from "./result-store.ts";
import type { HeldEnvironment } from "./task-environment.ts";

export interface Try {
  readonly task: GradedTask;
  readonly arm: Arm;
  /** From 1. */
  readonly attempt: number;
}

export interface TryResult {
  /** Of the task. */
  readonly id: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly attempt: number;
  readonly outcome: GradeOutcome;
  /** What decided. */
  readonly reason: string;
  /** What the agent itself said of its patch: null where it came to no report. */
  readonly verdict: Outcome | null;
  readonly strength: Strength | null;
  /** … and why. */
  readonly verdictReason: string;
  readonly patch: string;
  /** The target's text with the patch, where the task asks for a function. */
  readonly target?: string | undefined;
  /** Files of tests, and of how they are run, whose change by the patch was not taken. */
  readonly restored: readonly string[];
  /** By the dataset's rule alone. */
  readonly byTests: GradeOutcome;
  /** What further rules of the benchmark say, and partial scores. */
  readonly otherRules?: GradeResult["otherRules"];
  readonly measures?: GradeResult["measures"];
  readonly run: string;
  readonly agentSeconds: number;
  readonly gradingSeconds: number;
  readonly usage: StatedUsage;
  /** Both parts were kept by an earlier process. */
  readonly known: boolean;
}

export interface TryOptions {
  readonly attempts: Omit<AttemptOptions, "hold">;
  readonly grading: GradingOptions;
  /** What verdicts depend on beside task and patch. */
  readonly gradingConditions: unknown;
  readonly store: ResultStore;
}

/** Two jobs in a row, in one environment: the second knows of the first its patch alone. Throws AbortError. */
export async function executeTry(tried: Try, options: TryOptions): Promise<TryResult> {
  const held: HeldEnvironment[] = [];
  const hold = (environment: HeldEnvironment): void => void held.push(environment);
  try {
    return await executeJobs(tried, options, { ...options.attempts, hold });
  } finally {
    for (const environment of held) await environment.release();
  }
}

async function executeJobs(
  { task, arm, attempt }: Try,
  { grading, gradingConditions, store }: TryOptions,
  attempts: AttemptOptions,
): Promise<TryResult> {
  const { signal } = grading;
  const made = await executeJob(attemptJob(task, arm, attempt, attempts), store, signal);
  const { state, reason, patch } = made.result;
  const base = describeTry({ task, arm, attempt }, made.result);
  if (state !== "ended") {
    const ended = { outcome: state, reason, restored: [], byTests: state };
    return { ...base, ...ended, gradingSeconds: 0, known: made.known };
  }
  const graded = await executeJob(gradeJob(task, { patch }, grading, gradingConditions), store, signal);
  const { outcome, restored, byTests, otherRules, measures, target, seconds } = graded.result;
  return {
    ...base,
    ...{ otherRules, measures },
    ...(target === undefined ? {} : { target }),
    outcome,
    reason: graded.result.reason,
    restored,
    byTests,
    gradingSeconds: seconds,
    known: made.known && graded.known,
  };
}

function describeTry({ task, arm, attempt }: Try, made: AttemptResult) {
  const { reason, verdict, strength, patch, run, usage, seconds } = made;
  const { strategy, model } = arm;
  const said = { verdict, strength, verdictReason: reason, patch, run, usage, agentSeconds: seconds };
  return { id: task.task.id, strategy, model, attempt, ...said };
}
