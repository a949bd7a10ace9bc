import type { TaskKind } from "../../domain/task.ts";
import { codeGeneration } from "./code-generation.ts";
import type { KindRules } from "./contract.ts";
import { feature } from "./feature.ts";
import { regressionTest } from "./regression-test.ts";
import { partialFix, repair } from "./repair.ts";
import { testGeneration } from "./test-generation.ts";

const rules: Readonly<Record<TaskKind, KindRules>> = {
  repair,
  "partial-fix": partialFix,
  "regression-test": regressionTest,
  "test-generation": testGeneration,
  "code-generation": codeGeneration,
  feature,
};

export function rulesOf(kind: TaskKind): KindRules {
  return rules[kind];
}
