/**
 * Defines automatic checks of a patch, which run before a reviewer gives an opinion. Each check is a record in a
 * separate file.
 */
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
  /** The check's name, in kebab-case. */
  readonly name: string;
  /** The check's purpose, as a sentence for people. */
  readonly description: string;
}

export interface RunCheck extends CheckRecord {
  /**
   * Checks the candidate, and returns its findings; an empty list without findings. Runs tests only in recorded steps.
   * Returns equal results for equal states and candidates. Throws only if the infrastructure fails.
   */
  readonly run: (
    context: ReviewContext,
    state: TaskState,
    candidate: Candidate,
  ) => Promise<readonly Finding[]>;
}

/** The repository's files, for checks that only read texts. */
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
  /** Returns the check's findings; an empty list without findings. */
  readonly read: (
    context: TextCheckContext,
    state: Pick<TaskState, "candidates" | "codePlaces" | "fault" | "testPlaces">,
    candidate: Candidate,
  ) => Promise<readonly Finding[]>;
}

/** Defines a check: returns it unchanged, with its type checked. */
export function defineReviewCheck<const Check extends ReviewCheck>(check: Check): Check {
  return check;
}
