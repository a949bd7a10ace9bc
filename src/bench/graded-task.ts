import type { Grader } from "./graders/contract.ts";
import type { DatasetTask, EnvironmentRecipe, HiddenPart } from "./task.ts";

/** A task as the grader's process knows it, assembled from the parts that its dataset reads. */
export interface GradedTask {
  readonly dataset: string;
  readonly task: DatasetTask;
  readonly environment: EnvironmentRecipe;
  readonly hidden: HiddenPart;
  readonly grader: Grader;
  /** `FILE:LINE`, for messages. */
  readonly place: string;
}
