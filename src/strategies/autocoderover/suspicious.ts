/**
 * Spectrum-based fault localisation (Ochiai): compares the code that failing tests and passing tests execute. Uses the
 * repository's own tests and those of this run, but no hidden tests.
 */
import type { ActionContext, RunContext } from "../../agent/action.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import { collectCoverage } from "../../agent/measure/coverage.ts";
import { gatherSigns } from "../../agent/measure/localize-fault.ts";
import type { MeasurementContext } from "../../agent/measure/measurement.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { RankedFunction } from "../../localize/rank-functions.ts";
import { rankStatements } from "../../localize/rank-statements.ts";

const mostShown = 5;

/** Returns the suspicious functions, likeliest first; empty if no test shows the fault. */
export async function suspiciousFunctions(run: StagedRun): Promise<readonly RankedFunction[]> {
  const { context, work } = run;
  if (work.state.fault === undefined) return [];
  const found = await performStage(run, {
    name: "rank-methods",
    intent: "methods that failing tests execute more than passing ones",
    run: async (state) => ({ value: await rank(context, state) }),
  });
  return found ?? [];
}

async function rank(
  context: RunContext &
    Pick<ActionContext, "regions" | "task" | "testCommand" | "rememberedCommand" | "testTimeoutMs">,
  { fault, candidates }: TaskState,
): Promise<readonly RankedFunction[]> {
  if (fault === undefined) return [];
  const { executor, suite, workspace, frameworks } = context;
  const written = candidates.filter(({ kind }) => kind === "reproduction");
  const composed = await workspace.trees.compose(workspace.base, written, () => workspace.base);
  const base = composed.ok ? composed.value : workspace.base;
  const { recorder } = context;
  const measured: MeasurementContext = {
    ...context,
    workspace: { ...workspace, base },
    recorder: {
      step: (options, execute) => recorder.step({ ...options, key: `${options.key}:${base}` }, execute),
    },
  };
  const targets = (fault.baseRuns[0] ?? []).filter(({ status }) => isFailing(status));
  const baseline: Baseline = {
    command: suite.command,
    outcomes: [...suite.outcomes.filter(({ status }) => !isFailing(status)), ...targets],
    runs: fault.baseRuns,
    targets,
    reason: fault.reason,
    isCertain: true,
    others: [],
    othersBecause: "",
    flaky: [],
    durationMs: suite.durationMs,
    trouble: suite.remarks,
    remarks: [],
  };
  const framework = findFramework(frameworks, suite.command);
  const coverage = await collectCoverage(measured, executor, baseline, framework);
  const ranking = await rankStatements({
    ...(await gatherSigns(measured, baseline, coverage, context.regions)),
    languageOf,
  });
  return ranking.functions.slice(0, mostShown);
}

export function renderSuspicious(functions: readonly RankedFunction[]): string {
  return functions
    .map(({ file, startLine, endLine, function: name, score }) => {
      const what = name === undefined ? "the top level" : name;
      return `- ${what} in ${file}:${startLine}-${endLine} (${score.toFixed(2)})`;
    })
    .join("\n");
}
