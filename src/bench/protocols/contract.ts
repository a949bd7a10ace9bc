/** A protocol is what is run to measure a patch, and how rules judge what came of it. */
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
  /** Asked of a patch that is resolved: why it is not believed, or undefined. Throws MillwrightError, and AbortError. */
  readonly findDoubt?: (verdict: Verdict) => Promise<string | undefined>;
}

/** What a further rule says, where a benchmark has more than one. */
export interface OtherRule {
  readonly rule: string;
  readonly outcome: GradeOutcome;
  readonly reason: string;
}

export interface Judged {
  /** By the dataset's rule. */
  readonly official: Verdict;
  /** By ours: what decides. */
  readonly verdict: Verdict;
  readonly others: readonly OtherRule[];
  /** Shares from 0 to 1, by their names: partial scores. */
  readonly measures: Readonly<Record<string, number>>;
}

export interface Protocol {
  /** Whether lists of tests decide. */
  readonly needsLists: boolean;
  /** The patch that has to resolve a task. */
  gold(hidden: HiddenPart): string;
  /** Throws MillwrightError for infrastructure, and AbortError. */
  measure(subject: Subject): Promise<Measured>;
  /** From what was measured alone. */
  judge(measurement: Measurement, task: GradedTask, frameworks: readonly TestFramework[]): Promise<Judged>;
}
