import type { SolveReport } from "./solve-report.ts";

/** The result of repeating a run from its record, compared with the original run. */
export interface Replay {
  /** The original run's id. */
  readonly of: string;
  readonly run: string;
  /** True if the patches are equal; null if the original run did not end. */
  readonly same: boolean | null;
  /** True if the repository's files differ from those at the start of the original run. */
  readonly repositoryChanged: boolean;
  /**
   * Requests that the recording lacks. Each has its first difference from the nearest recorded request. The first
   * missing request causes the others.
   */
  readonly changed: readonly string[];
  readonly report: SolveReport;
}
