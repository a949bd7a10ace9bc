import type { KindChoice, Task } from "../../domain/task.ts";
import { attemptIn } from "./attempt-in-statement.ts";

/** Sets the task's kind and target. For a partial fix, moves the attempt from the statement to `partialPatch`. */
export function withKind(task: Task, { kind, target }: Pick<KindChoice, "kind" | "target">): Task {
  const placed = { ...task, kind, ...(target === undefined ? {} : { target }) };
  const attempt =
    kind === "partial-fix" && task.partialPatch === undefined ? attemptIn(task.statement, true) : undefined;
  return attempt === undefined
    ? placed
    : { ...placed, statement: attempt.statement, partialPatch: attempt.patch };
}
