/**
 * The contract of a protocol: it defines the runs that measure a patch, and the judgement of the measurement by rules.
 */
import { z } from "zod";
import type { TestFramework } from "../../languages/contract.ts";
import type { GradedTask } from "../graded-task.ts";
import type { GradeOutcome, Verdict } from "../graders/contract.ts";
import type { Measurement } from "../measurement.ts";
import type { OpenTask } from "../open-task.ts";
import type { RunLog } from "../run-log.ts";
import type { HiddenPart } from "../task.ts";

export interface Subject {
  readonly open: OpenTask;
  readonly task: GradedTask;
  readonly patch: string;
}

export interface Measured {
  readonly measurement: Measurement;
  /**
   * Returns the reason to doubt a patch that the rule resolves, or undefined. Throws MillwrightError if the
   * infrastructure fails, and AbortError if interrupted.
   */
  readonly findDoubt?: (verdict: Verdict) => Promise<string | undefined>;
  /**
   * Runs the extra tests on a patch that resolves the task; returns the runs by name. Absent if the task has no extra
   * tests. Throws like `findDoubt`.
   */
  readonly runExtra?: () => Promise<Readonly<Record<string, RunLog>>>;
}

/** The verdict of a benchmark's further rule, for benchmarks with several rules. */
export interface OtherRule {
  readonly rule: string;
  readonly outcome: GradeOutcome;
  readonly reason: string;
}

/** The result of the extra tests with a plausible patch, which the hidden tests accept. */
export const extraVerdictSchema = z.object({
  isOverfitted: z.boolean(),
  /** One sentence on the deciding fact. */
  reason: z.string(),
  success: z.array(z.string()),
  failure: z.array(z.string()),
});
export type ExtraVerdict = z.infer<typeof extraVerdictSchema>;

export interface Judged {
  /** The verdict by the dataset's rule. */
  readonly official: Verdict;
  /** The verdict by our rule, which decides. */
  readonly verdict: Verdict;
  readonly others: readonly OtherRule[];
  /** Partial scores from 0 to 1, by name. */
  readonly measures: Readonly<Record<string, number>>;
  /** The verdict of the extra tests; absent if they did not run. */
  readonly extra?: ExtraVerdict | undefined;
}

export interface Protocol {
  /** True if lists of tests decide. */
  readonly needsLists: boolean;
  /** The names of runs without the patch. If such a run does not end by itself, the patch is not the cause. */
  readonly controls: readonly string[];
  /** Returns the patch that must resolve the task. */
  gold(hidden: HiddenPart): string;
  /** Measures a patch. Throws MillwrightError if the infrastructure fails, and AbortError if interrupted. */
  measure(subject: Subject): Promise<Measured>;
  /**
   * Measures the empty solution: the base's own tests in the files of the gold tests count as the solution. Absent if
   * the check of the lists measures it. Throws like `measure`.
   */
  measureEmpty?(open: OpenTask, task: GradedTask): Promise<Measurement>;
  /** Judges from the measurement alone. */
  judge(measurement: Measurement, task: GradedTask, frameworks: readonly TestFramework[]): Promise<Judged>;
}
