/** Inserts small faults into executed code, and counts those that a set of tests detects. */

import { weighMutants } from "../../agent/kinds/target-strength.ts";
import type { Unit } from "../../agent/measure/executable-lines.ts";
import { listMutants } from "../../agent/mutants/list-mutants.ts";
import { runMutantsOn } from "../../agent/mutants/run-mutants.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { Measurement } from "../measurement.ts";
import type { OpenTask } from "../open-task.ts";
import type { TestPlan } from "../task-tests.ts";

export interface MutatedCode {
  /** A tree on which the tests pass. */
  readonly tree: string;
  readonly tests: readonly TestKey[];
  /** The outcomes of the tests. */
  readonly fresh: readonly TestOutcome[];
  readonly file: string;
  readonly text: string;
  readonly units: readonly Unit[];
}

/**
 * Minimum share of faults that the tests must detect, by our rule. Some faults are equivalent to the program, so no
 * test can detect them.
 */
export const leastNoticed = 0.5;
/** Maximum number of faults to try; each may need a run. */
const mostMutants = 12;
/**
 * Time for all faults in milliseconds, and the maximum while the faults that ran do not decide: 20 minutes, or four times
 * the limit of one run.
 */
const [budgetMs, mostMs] = [300_000, 1_200_000];

export async function measureMutants(
  { workspace, limits }: OpenTask,
  { framework, command }: TestPlan,
  executor: TestExecutor,
  { tree, tests, fresh, file, text, units }: MutatedCode,
): Promise<NonNullable<Measurement["mutants"]>> {
  const language = languageOf(file);
  if (language === undefined) return { tried: 0, noticed: 0, survivors: [] };
  const lines = new Set(units.filter(({ at }) => at !== "load").flatMap((unit) => unit.own));
  const mutants = await listMutants([{ file, text, language, lines }], mostMutants);
  const durationMs = fresh.reduce((sum, outcome) => sum + outcome.durationMs, 0);
  const on = {
    ...{ executor, trees: workspace.trees, command, framework, durationMs },
    testTimeoutMs: Math.min(limits.testLimitMs, limits.limitMs),
  };
  const run = { tree, tests, mutants, budgetMs, leastShare: leastNoticed };
  const verdicts = await runMutantsOn(on, run, Math.min(mostMs, Math.max(budgetMs, 4 * limits.limitMs)));
  const { tried, noticed, unknown, missing } = weighMutants(mutants, verdicts);
  return { tried, noticed, ...(unknown === 0 ? {} : { unknown }), survivors: [...missing] };
}
