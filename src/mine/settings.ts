/** Settings of mining. */

import type { GradingOptions } from "../bench/open-task.ts";
import type { ResultStore } from "../bench/result-store.ts";
import type { ForgeAddress } from "../forge-hosts/contract.ts";
import type { Candidate, Outcome, StepName } from "./contract.ts";
import type { Issues } from "./issues.ts";
import type { SizeLimits } from "./split-change.ts";
import type { StepReport } from "./step-report.ts";

/** The last date of a model's training data. */
export interface Cutoff {
  readonly model: string;
  /** `2025-06-30`. */
  readonly date: string;
}

export interface MineSettings extends SizeLimits {
  /** `owner/name`. */
  readonly repository: string;
  /** The git directory of the clone; never written. */
  readonly gitDirectory: string;
  /** A date in a form that git accepts. */
  readonly since: string | undefined;
  /** Only changes after this commit. */
  readonly after?: string | undefined;
  readonly issues: Issues;
  /** The host that merged requests and issues are read from; undefined: only git's history is read. */
  readonly forge: ForgeAddress | undefined;
  /** Leave out changes that name neither an issue nor a merge request. */
  readonly linkedOnly: boolean;
  /** Maximum number of filtered changes to run, the newest first; undefined: all. */
  readonly limit: number | undefined;
  /** The user's own environment; empty: Millwright searches for one. */
  readonly given: { readonly setup?: string; readonly testCommand?: string };
  readonly suiteLimitMs: number;
  /** The size of the sample that a person reviews. */
  readonly sampleSize: number;
  readonly seed: number;
  /** The date that splits the tasks; undefined: the median. */
  readonly splitDate: string | undefined;
  readonly cutoffs: readonly Cutoff[];
}

export interface MineRequest {
  readonly settings: MineSettings;
  /** The folder of the dataset: ledger, reports, and at the end the tasks. */
  readonly folder: string;
  readonly store: ResultStore;
  readonly options: GradingOptions;
  /** Inputs of results besides the change. */
  readonly conditions: unknown;
  readonly workers: number;
  /** Contains the token for the host. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** For people: a line for each verdict that took time, for each wait for the host, and for each step. */
  onVerdict(step: StepName, candidate: Candidate, outcome: Outcome<unknown>): void;
  onProgress(text: string): void;
  onStep(report: StepReport): void;
}
