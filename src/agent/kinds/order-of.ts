import type { TaskKind } from "../../domain/task.ts";

const orders: Readonly<Record<TaskKind, string>> = {
  repair: "Resolve this issue.",
  "partial-fix": "Resolve this issue, for which an attempt is given that failed.",
  "regression-test": "Write tests that reproduce this issue. Do not fix it.",
  "code-generation": "Write the body of the target.",
  "test-generation": "Write tests that cover the target wholly.",
  feature: "Write this feature and its tests.",
};

/**
 * The order that a task of this kind gives the agent, in one or two sentences, for benchmarks. It has no rules of
 * judgement.
 */
export function orderOf(kind: TaskKind): string {
  return orders[kind];
}
