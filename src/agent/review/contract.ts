/** What looks at a patch before anybody's opinion does: a record for each check, a file for each record. */
import type { Candidate } from "../../domain/candidate.ts";
import type { JudgeContext } from "../action.ts";
import type { Change } from "../code/change.ts";
import type { ReviewFinding, TaskState } from "../state/task-state.ts";

export interface ReviewContext extends JudgeContext {
  /** What the candidate changes of the base. */
  readonly change: Change;
}

export type Finding = Omit<ReviewFinding, "check">;

export interface ReviewCheck {
  /** kebab-case. */
  readonly name: string;
  /** A sentence for people. */
  readonly description: string;
  /**
   * None where there is nothing to say. Tests are run in recorded steps; the same again for the same state and candidate. Throws
   * only where the infrastructure fails.
   */
  readonly run: (
    context: ReviewContext,
    state: TaskState,
    candidate: Candidate,
  ) => Promise<readonly Finding[]>;
}

/** Identity, for inference. */
export function defineReviewCheck(check: ReviewCheck): ReviewCheck {
  return check;
}
