/** Adds to a statement what its kind of task asks for, for agents that do not know the kind: they read only the text. */
import type { Task, TaskKind } from "../../domain/task.ts";

const requests: Partial<Record<TaskKind, (place: string) => string>> = {
  "regression-test": () =>
    "Write tests that show the issue below: they fail now, and pass once the issue is repaired. Change only tests, and do not repair the issue.",
  "test-generation": (place) => `Write tests for ${place} that execute each of its lines. Change only tests.`,
  "code-generation": (place) => `Write the body of ${place}.`,
  feature: () => "Write the feature below, together with tests that execute each line of its code.",
};

/** Returns the statement as it is if it begins with the request, or if the kind is the usual one: to repair an issue. */
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
