/** Automatic checks of a patch, made before anyone gives an opinion. Each check is a record in a separate file. */
import type { Candidate } from "../../domain/candidate.ts";
import type { JudgeContext } from "../action.ts";
import type { Change } from "../code/change.ts";
import type { ReviewFinding, TaskState } from "../state/task-state.ts";

export interface ReviewContext extends JudgeContext {
  /** The candidate's changes to the base. */
  readonly change: Change;
}

export type Finding = Omit<ReviewFinding, "check">;

export interface ReviewCheck {
  /** kebab-case. */
  readonly name: string;
  /** A sentence for people. */
  readonly description: string;
  /**
   * Empty if there is nothing to say. Runs tests in recorded steps, and returns the same for the same state and
   * candidate. Throws only if the infrastructure fails.
   */
  readonly run: (
    context: ReviewContext,
    state: TaskState,
    candidate: Candidate,
  ) => Promise<readonly Finding[]>;
}

/** Returns the check unchanged, and gives it its type. */
export function defineReviewCheck(check: ReviewCheck): ReviewCheck {
  return check;
}
