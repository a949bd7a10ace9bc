/**
 * States the request of each kind of task, briefly as published benchmarks do. From this text alone, a reader can tell
 * the kind.
 */
import type { Task, TaskKind } from "../../domain/task.ts";

const orders: Readonly<Record<TaskKind, string>> = {
  repair: "Resolve this issue.",
  "partial-fix": "Resolve this issue. An earlier attempt, which failed, is included.",
  "regression-test": "Write tests that reproduce this issue. Do not fix it.",
  "code-generation": "Write the body of the target.",
  "test-generation": "Write tests that cover the whole target.",
  feature: "Write this feature and its tests.",
};

/**
 * Returns the instruction that benchmarks give the agent for a task of this kind, in one or two sentences. It does not
 * say how Millwright judges the result.
 */
export function orderOf(kind: TaskKind): string {
  return orders[kind];
}

const requests: Partial<Record<TaskKind, (place: string) => string>> = {
  "regression-test": () =>
    "Write tests that show the issue below. They must fail now, and pass after a fix. Change only tests, and do not fix the issue.",
  "test-generation": (place) => `Write tests for ${place} that execute each of its lines. Change only tests.`,
  "code-generation": (place) => `Write the body of ${place}.`,
  feature: () => "Write the feature below, together with tests that execute each line of its code.",
};

/**
 * Adds the request of the task's kind to a statement, for agents that read only the text. Returns the statement
 * unchanged if it begins with the request, or if the kind is `repair` or `partial-fix`.
 */
export function stateRequest({
  kind,
  statement,
  target,
}: Pick<Task, "kind" | "statement" | "target">): string {
  const at = target?.indexOf(":") ?? -1;
  const place =
    target === undefined
      ? "the target"
      : `\`${target.slice(at + 1).replace(/^:+/, "")}\` in ${target.slice(0, at)}`;
  const request = requests[kind]?.(place);
  if (request === undefined || statement.startsWith(request)) return statement;
  return statement.trim() === "" ? `${request}\n` : `${request}\n\n${statement}`;
}
