/** Automatic checks of a patch, made before anyone gives an opinion. Each check is a record in a separate file. */
import type { Candidate } from "../../domain/candidate.ts";
import type { Task } from "../../domain/task.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { JudgeContext } from "../action.ts";
import type { Change } from "../code/change.ts";
import type { ReviewFinding, TaskState } from "../state/task-state.ts";

export interface ReviewContext extends JudgeContext {
  /** The candidate's changes to the base. */
  readonly change: Change;
}

export type Finding = Omit<ReviewFinding, "check">;

export type ReviewCheck = RunCheck | TextCheck;

interface CheckRecord {
  /** kebab-case. */
  readonly name: string;
  /** A sentence for people. */
  readonly description: string;
}

export interface RunCheck extends CheckRecord {
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

/** The repository, for judges of texts. */
export interface TextContext {
  readonly workspace: { readonly trees: Pick<TreeStore, "list" | "read">; readonly base: string };
  readonly regions: TestRegions;
}

export interface TextCheckContext extends TextContext {
  /** The candidate's changes to the base. */
  readonly change: Change;
  readonly task: Pick<Task, "kind" | "statement">;
}

/** A check that only reads texts. It runs on a thread, so `text-judges.ts` lists it. */
export interface TextCheck extends CheckRecord {
  /** Empty if there is nothing to say. */
  readonly read: (
    context: TextCheckContext,
    state: Pick<TaskState, "candidates" | "codePlaces" | "fault" | "testPlaces">,
    candidate: Candidate,
  ) => Promise<readonly Finding[]>;
}

/** Returns the check unchanged, and gives it its type. */
export function defineReviewCheck<const Check extends ReviewCheck>(check: Check): Check {
  return check;
}
