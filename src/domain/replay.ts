import type { SolveReport } from "./solve-report.ts";

/** A run that was done again, held against the first. */
export interface Replay {
  /** The first. */
  readonly of: string;
  readonly run: string;
  /** Null where the run that is replayed came to no end. */
  readonly same: boolean | null;
  /** Whether the repository has other files than when the run began. */
  readonly repositoryChanged: boolean;
  /** Requests that the recording does not have, each with where it leaves the nearest one. The first is the cause of the others. */
  readonly changed: readonly string[];
  readonly report: SolveReport;
}
