import type { TaskKind } from "../../domain/task.ts";

const orders: Readonly<Record<TaskKind, string>> = {
  repair: "Resolve this issue.",
  "partial-fix": "Resolve this issue. An earlier attempt, which failed, is included.",
  "regression-test": "Write tests that reproduce this issue. Do not fix it.",
  "code-generation": "Write the body of the target.",
  "test-generation": "Write tests that cover the whole target.",
  feature: "Write this feature and its tests.",
};

/**
 * The instruction that benchmarks give the agent for a task of this kind, in one or two sentences. It does not say how
 * Millwright judges the result.
 */
export function orderOf(kind: TaskKind): string {
  return orders[kind];
}
