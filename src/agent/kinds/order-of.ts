import type { TaskKind } from "../../domain/task.ts";

const orders: Readonly<Record<TaskKind, string>> = {
  repair: "Resolve this issue.",
  "partial-fix": "Resolve this issue, for which an attempt is given that failed.",
  "regression-test": "Write tests that reproduce this issue. Do not fix it.",
  "code-generation": "Write the body of the target.",
  "test-generation": "Write tests that cover the target wholly.",
  feature: "Write this feature and its tests.",
};

/** What a kind asks for, in a sentence and without how it is judged: a benchmark's description names it so. */
export function orderOf(kind: TaskKind): string {
  return orders[kind];
}
