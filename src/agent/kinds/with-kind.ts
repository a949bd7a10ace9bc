import type { KindChoice, Task } from "../../domain/task.ts";
import { attemptIn } from "./attempt-in-statement.ts";

/** Adds what the kind needs and the statement contains: its target, or an earlier attempt. */
export function withKind(task: Task, { kind, target }: Pick<KindChoice, "kind" | "target">): Task {
  const placed = { ...task, kind, ...(target === undefined ? {} : { target }) };
  const attempt =
    kind === "partial-fix" && task.partialPatch === undefined ? attemptIn(task.statement, true) : undefined;
  return attempt === undefined
    ? placed
    : { ...placed, statement: attempt.statement, partialPatch: attempt.patch };
}
