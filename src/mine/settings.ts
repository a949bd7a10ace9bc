/** What a person asks of mining. */

import type { GradingOptions } from "../bench/open-task.ts";
import type { ResultStore } from "../bench/result-store.ts";
import type { Candidate, Outcome, StepName } from "./contract.ts";
import type { Issues } from "./issues.ts";
import type { SizeLimits } from "./split-change.ts";
import type { StepReport } from "./step-report.ts";

export interface MineSettings extends SizeLimits {
  /** `owner/name`. */
  readonly repository: string;
  /** The git directory of the clone; it is read, never written. */
  readonly gitDirectory: string;
  /** A date as git takes it. */
  readonly since: string | undefined;
  readonly issues: Issues;
  /** Leave out changes that name neither an issue nor a merge request. */
  readonly linkedOnly: boolean;
  /** So many of those that the filter keeps are run, the newest first; undefined: all. */
  readonly limit: number | undefined;
  /** The user's own environment; none: it is searched for. */
  readonly given: { readonly setup?: string; readonly testCommand?: string };
  readonly suiteLimitMs: number;
  /** Of the sample that a person reviews. */
  readonly sampleSize: number;
  readonly seed: number;
  /** Tasks of changes before it are the one part of the split by date; undefined: the median. */
  readonly splitDate: string | undefined;
}

export interface MineRequest {
  readonly settings: MineSettings;
  /** The folder of the dataset: ledger, reports, and at the end the tasks. */
  readonly folder: string;
  readonly store: ResultStore;
  readonly options: GradingOptions;
  /** What results depend on beside the change. */
  readonly conditions: unknown;
  readonly workers: number;
  /** For people: a line for each verdict that took time, and one for each step. */
  onVerdict(step: StepName, candidate: Candidate, outcome: Outcome<unknown>): void;
  onStep(report: StepReport): void;
}
