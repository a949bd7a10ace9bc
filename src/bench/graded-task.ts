import type { Grader } from "./graders/contract.ts";
import type { DatasetTask, EnvironmentRecipe, HiddenPart } from "./task.ts";

/** A task with its hidden part, for the grader's process. The dataset's record makes each part from a row. */
export interface GradedTask {
  readonly dataset: string;
  readonly task: DatasetTask;
  readonly environment: EnvironmentRecipe;
  readonly hidden: HiddenPart;
  readonly grader: Grader;
  /** `FILE:LINE`, for messages. */
  readonly place: string;
}
