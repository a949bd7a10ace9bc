/** What a kind of task asks of a patch: a record for each, and the one place where kinds differ. */
import type { Result } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { TaskKind } from "../../domain/task.ts";
import type { ActionContext } from "../action.ts";
import type { MatrixRow, TaskState } from "../task-state.ts";

export interface KindRules {
  readonly kinds: readonly TaskKind[];
  /** Of which candidates the patch is chosen. The code of a `feature` has its own tests with it, in the same candidate. */
  readonly delivers: "code" | "test";
  /** For a model: what the gate asks for, and how such a task goes well. */
  readonly goal: string;
  /** For people, where the gate holds. */
  readonly verified: string;
  /** Runs tests on a candidate. `targets`: those that tell most, alone. Effects go through recorded steps. */
  measure(
    context: ActionContext,
    state: TaskState,
    candidate: Candidate,
    scope: "targets" | "all",
  ): Promise<Result<MatrixRow, "conflict">>;
  /** The gate, by runs of tests. */
  judge(context: ActionContext, state: TaskState, candidate: Candidate): Promise<Judgement>;
}

export interface Judgement {
  readonly gate: readonly Predicate[];
  /** Undefined where the candidate cannot be laid beside the reproductions. */
  readonly row: MatrixRow | undefined;
}
