/** One cell of a batch: a task, attempted by an arm and graded by the patch alone. */
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
  /** Counted from 1. */
  readonly attempt: number;
}

export interface TryResult {
  /** The task's id. */
  readonly id: string;
  readonly strategy: string;
  readonly model: string | null;
  readonly attempt: number;
  readonly outcome: GradeOutcome;
  /** What decided. */
  readonly reason: string;
  /** The agent's own verdict on its patch; null if it produced no report. */
  readonly verdict: Outcome | null;
  readonly strength: Strength | null;
  /** …and its reason. */
  readonly verdictReason: string;
  readonly patch: string;
  /** The target's text with the patch, if the task asks for a function. */
  readonly target?: string | undefined;
  /** Files of tests and test configuration whose changes by the patch were ignored. */
  readonly restored: readonly string[];
  /** By the dataset's rule alone. */
  readonly byTests: GradeOutcome;
  /** Verdicts of the benchmark's further rules, and partial scores. */
  readonly otherRules?: GradeResult["otherRules"];
  readonly measures?: GradeResult["measures"];
  readonly run: string;
  readonly agentSeconds: number;
  readonly gradingSeconds: number;
  readonly usage: StatedUsage;
  /** An earlier process had cached both parts. */
  readonly known: boolean;
}

export interface TryOptions {
  readonly attempts: Omit<AttemptOptions, "hold">;
  readonly grading: GradingOptions;
  /** What verdicts depend on in addition to task and patch. */
  readonly gradingConditions: unknown;
  readonly store: ResultStore;
}

/** Two jobs in sequence in one environment; of the first, the second only knows the patch. Throws AbortError. */
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
