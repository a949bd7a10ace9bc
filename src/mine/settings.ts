/** Defines the settings of mining. */

import type { GradingOptions } from "../bench/open-task.ts";
import type { ResultStore } from "../bench/result-store.ts";
import type { ForgeAddress } from "../forge-hosts/contract.ts";
import type { Candidate, Outcome, StepName } from "./contract.ts";
import type { Issues } from "./issues.ts";
import type { SlowJob } from "./slow-step.ts";
import type { SizeLimits } from "./split-change.ts";
import type { StepReport } from "./step-report.ts";

/** The last date of a model's training data. */
export interface Cutoff {
  readonly model: string;
  /** The date, as in `2025-06-30`. */
  readonly date: string;
}

export interface MineSettings extends SizeLimits {
  /** `owner/name`. */
  readonly repository: string;
  /** The git directory of the clone. Millwright never writes to it. */
  readonly gitDirectory: string;
  /** A date in a form that git accepts. */
  readonly since: string | undefined;
  /** The commit after which Millwright reads changes. */
  readonly after?: string | undefined;
  readonly issues: Issues;
  /** The host from which Millwright reads merged requests and issues; undefined: it reads only git's history. */
  readonly forge: ForgeAddress | undefined;
  /** True to skip changes that name neither an issue nor a merge request. */
  readonly linkedOnly: boolean;
  /** Maximum number of filtered changes to run, the newest first; undefined: all. */
  readonly limit: number | undefined;
  /** The user's own environment. If it is empty, Millwright searches for one. */
  readonly given: { readonly setup?: string; readonly testCommand?: string };
  readonly suiteLimitMs: number;
  /** The size of the sample that a person reviews. */
  readonly sampleSize: number;
  readonly seed: number;
  /** The date that splits the tasks into older and newer ones; undefined: the median date. */
  readonly splitDate: string | undefined;
  readonly cutoffs: readonly Cutoff[];
}

export interface MineRequest {
  readonly settings: MineSettings;
  /** The folder of the dataset: ledger, reports, and at the end the tasks. */
  readonly folder: string;
  readonly store: ResultStore;
  readonly options: GradingOptions;
  /** The values, besides the change, on which results depend. */
  readonly conditions: unknown;
  readonly workers: number;
  /** Decides a change on another machine, and returns the outcome. Absent: this machine decides all changes. */
  readonly elsewhere?: (job: SlowJob) => Promise<unknown>;
  /** Environment variables, with the token for the host. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Shows people a line for each slow verdict, each wait for the host, and each step. */
  onVerdict(step: StepName, candidate: Candidate, outcome: Outcome<unknown>): void;
  onProgress(text: string): void;
  onStep(report: StepReport): void;
}
