/** Executes one try of a batch: an arm attempts a task, and Millwright then grades the attempt's patch. */
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { formatDuration } from "../base/units.ts";
import { noUsage, outcomeSchema, statedUsageSchema, strengthSchema } from "../domain/solve-report.ts";
import {
  type Arm,
  type AttemptOptions,
  type AttemptResult,
  attemptJob,
  attemptResultSchema,
} from "./attempt.ts";
import { gradeJob, gradeResultSchema } from "./grade-task.ts";
import type { GradedTask } from "./graded-task.ts";
import { gradeOutcomeSchema } from "./graders/contract.ts";
import { executeJob } from "./job.ts";
import type { GradingOptions } from "./open-task.ts";
import type { ResultStore } from "./result-store.ts";
import type { HeldEnvironment } from "./task-environment.ts";

export interface Try {
  readonly task: GradedTask;
  readonly arm: Arm;
  /** The attempt's number, from 1. */
  readonly attempt: number;
}

/** The result of a try, in the form that the machines of a batch exchange. */
export const tryResultSchema = z.object({
  /** The task's id. */
  id: z.string(),
  strategy: z.string(),
  model: z.string().nullable(),
  attempt: z.int(),
  outcome: gradeOutcomeSchema,
  /** One sentence on the deciding fact. */
  reason: z.string(),
  outage: attemptResultSchema.shape.outage,
  /** The agent's own verdict on its patch; null without a report. */
  verdict: outcomeSchema.nullable(),
  strength: strengthSchema.nullable(),
  /** The report's reason for this verdict. */
  verdictReason: z.string(),
  patch: z.string(),
  /** The target's text with the patch, if the task asks for a function. */
  target: z.string().optional(),
  /** Test files and test configuration whose changes by the patch were reverted. */
  restored: z.array(z.string()).readonly(),
  /** The outcome by the dataset's rule alone. */
  byTests: gradeOutcomeSchema,
  /** Results of the benchmark's further rules, and partial scores. */
  otherRules: gradeResultSchema.shape.otherRules.optional(),
  measures: gradeResultSchema.shape.measures.optional(),
  /** The result of the extra tests with a plausible patch. */
  extra: gradeResultSchema.shape.extra,
  run: z.string(),
  /** The name of the worker that ended or last returned the try; absent without a queue. */
  worker: z.string().optional(),
  agentSeconds: z.number(),
  gradingSeconds: z.number(),
  usage: statedUsageSchema,
  /** True if the store already had the results of both the attempt and the grading. */
  known: z.boolean(),
});
export type TryResult = Readonly<z.infer<typeof tryResultSchema>>;

export interface TryOptions {
  readonly attempts: Omit<AttemptOptions, "hold">;
  readonly grading: GradingOptions;
  /** Conditions of verdicts in addition to task and patch. */
  readonly gradingConditions: unknown;
  readonly store: ResultStore;
  /**
   * Milliseconds after which Millwright abandons a try, so that no try blocks its batch. The limits of the try's parts
   * are shorter.
   */
  readonly longestMs: (arm: Arm) => number;
}

/**
 * True if the provider refused a call because of a rate limit. The try then says nothing, and Millwright repeats it.
 */
export function isRefused({ outcome, outage }: Pick<TryResult, "outcome" | "outage">): boolean {
  return outcome === "infrastructure-error" && outage === "rate-limit";
}

/** True if the store has the results of the whole try. */
export async function isStored(
  { task, arm, attempt }: Try,
  { attempts, grading, gradingConditions, store }: TryOptions,
): Promise<boolean> {
  const attempted = attemptJob(task, arm, attempt, { ...attempts, hold() {} });
  const made = await store.find(attempted.kind, attempted.key);
  if (made?.state !== "ended") return made !== undefined;
  const graded = gradeJob(task, { patch: made.patch }, grading, gradingConditions);
  return (await store.find(graded.kind, graded.key)) !== undefined;
}

/** Makes the result of a try that failed through no fault of the agent: an infrastructure error. */
export function failedTry({ task, arm, attempt }: Try, reason: string): TryResult {
  return {
    ...{ id: task.task.id, strategy: arm.strategy, model: arm.model, attempt, run: "" },
    ...{ outcome: "infrastructure-error", byTests: "infrastructure-error", reason, restored: [] },
    ...{ verdict: null, strength: null, verdictReason: reason, patch: "", known: false },
    ...{ agentSeconds: 0, gradingSeconds: 0, usage: noUsage },
  };
}

/**
 * Attempts the task and grades the patch, in one environment. The grading gets only the attempt's patch. A try that
 * exceeds `longestMs` ends with an infrastructure error. Throws AbortError if interrupted.
 */
export async function executeTry(tried: Try, options: TryOptions): Promise<TryResult> {
  const longestMs = options.longestMs(tried.arm);
  const late = new AbortController();
  const signal = AbortSignal.any([options.grading.signal, late.signal]);
  const work = executeHeld(tried, stoppedBy(options, signal));
  const timer = delay(longestMs, undefined, { signal }).then(
    () => {
      late.abort();
      const reason = `the try had not ended after ${formatDuration(longestMs)}, long after the limits of its parts`;
      return failedTry(tried, reason);
    },
    () => work,
  );
  return Promise.race([work, timer]).finally(() => late.abort());
}

/** Returns options with which this signal also stops the attempt and the grading. */
function stoppedBy({ grading, attempts, ...rest }: TryOptions, signal: AbortSignal): TryOptions {
  const environment = { ...attempts.environment, signal };
  return { ...rest, grading: { ...grading, signal }, attempts: { ...attempts, environment } };
}

async function executeHeld(tried: Try, options: TryOptions): Promise<TryResult> {
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
    const { outage } = made.result;
    const refused = outage === undefined ? {} : { outage };
    return { ...base, ...ended, ...refused, gradingSeconds: 0, known: made.known };
  }
  const graded = await executeJob(gradeJob(task, { patch }, grading, gradingConditions), store, signal);
  const { outcome, restored, byTests, otherRules, measures, extra, target, seconds } = graded.result;
  return {
    ...base,
    ...{ otherRules, measures, ...(extra === undefined ? {} : { extra }) },
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
