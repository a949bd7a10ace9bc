/**
 * The contract of a protocol: it defines the runs that measure a patch, and the judgement of the measurement by rules.
 */
import type { TestFramework } from "../../languages/contract.ts";
import type { GradedTask } from "../graded-task.ts";
import type { GradeOutcome, Verdict } from "../graders/contract.ts";
import type { Measurement } from "../measurement.ts";
import type { OpenTask } from "../open-task.ts";
import type { HiddenPart } from "../task.ts";

export interface Subject {
  readonly open: OpenTask;
  readonly task: GradedTask;
  readonly patch: string;
}

export interface Measured {
  readonly measurement: Measurement;
  /**
   * Returns the reason to doubt a patch that the rule resolves, or undefined. Throws MillwrightError, and AbortError.
   */
  readonly findDoubt?: (verdict: Verdict) => Promise<string | undefined>;
}

/** The verdict of a benchmark's further rule, for benchmarks with several rules. */
export interface OtherRule {
  readonly rule: string;
  readonly outcome: GradeOutcome;
  readonly reason: string;
}

export interface Judged {
  /** The verdict by the dataset's rule. */
  readonly official: Verdict;
  /** The verdict by our rule, which decides. */
  readonly verdict: Verdict;
  readonly others: readonly OtherRule[];
  /** Partial scores from 0 to 1, by name. */
  readonly measures: Readonly<Record<string, number>>;
}

export interface Protocol {
  /** True if lists of tests decide. */
  readonly needsLists: boolean;
  /** The patch that must resolve the task. */
  gold(hidden: HiddenPart): string;
  /** Throws MillwrightError for infrastructure, and AbortError. */
  measure(subject: Subject): Promise<Measured>;
  /** Judges from the measurement alone. */
  judge(measurement: Measurement, task: GradedTask, frameworks: readonly TestFramework[]): Promise<Judged>;
}
