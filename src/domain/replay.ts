import type { SolveReport } from "./solve-report.ts";

/** The result of repeating a run from its record, compared with the original run. */
export interface Replay {
  /** The original run. */
  readonly of: string;
  readonly run: string;
  /** Null if the original run did not end. */
  readonly same: boolean | null;
  /** True if the repository has different files than when the original run began. */
  readonly repositoryChanged: boolean;
  /**
   * Requests that are not in the recording, each with its first difference from the nearest recorded one. The first
   * request is the cause of the others.
   */
  readonly changed: readonly string[];
  readonly report: SolveReport;
}
