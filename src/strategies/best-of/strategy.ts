/**
 * Runs several strategies, or several samples of one, under one budget. Every arm's candidates enter one execution
 * matrix, in which every arm's tests judge every arm's patches. Among the best candidates, a vote over their normal
 * forms decides; if votes are equal, a review decides. USEagent, SWE-agent and AutoCodeRover let a model choose among
 * candidates. Here, a model decides last. Only the first arm gets the attempt of a `partial-fix`.
 */
import type { ActionContext, VerdictContext } from "../../agent/action.ts";
import { recorderOfArm } from "../../agent/control/arm.ts";
import { conclude, endWithout } from "../../agent/control/conclude.ts";
import { openSession } from "../../agent/control/open-session.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import type { ThinkEnd } from "../../agent/think/think.ts";
import { chooseArms, sampledTemperature } from "./arms.ts";
import { type Chosen, chooseBest } from "./choose.ts";
import { crossValidate, type Judged } from "./cross-validate.ts";
import { describeArms } from "./describe-arms.ts";
import { finalState } from "./final-state.ts";
import { type ArmRun, runArms } from "./run-arms.ts";

const name = "best-of";

export default defineStrategy({
  name,
  description:
    "runs several strategies or samples under one budget, and chooses by test results, then vote, then review",
  kinds: ["repair", "partial-fix", "regression-test", "code-generation", "test-generation", "feature"],
  needsModel: true,
  sampling: { temperature: sampledTemperature },
  run: runBestOf,
});

async function runBestOf(context: StrategyContext): Promise<StrategyEnd> {
  const arms = chooseArms(context, name);
  const runs = await runArms(context, arms);
  const { partialPatch: _, ...task } = context.task;
  // Actions of the choice are counted separately from those of the arms.
  const recorder = recorderOfArm(context.recorder, name);
  const session = await openSession({ ...context, task, recorder });
  if (!session.ok) return endWithout(session.message);
  const { actionContext, close } = session.value;
  try {
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the arms' candidates" });
    const judged = await crossValidate(actionContext, runs);
    const chosen = await chooseBest(actionContext, runs, judged);
    return await endWith(actionContext, runs, judged, chosen);
  } finally {
    await close();
  }
}

async function endWith(
  context: VerdictContext,
  runs: readonly ArmRun[],
  judged: readonly Judged[],
  chosen: Chosen | undefined,
): Promise<StrategyEnd> {
  const state = await finalState(context, runs, judged, chosen);
  const end = await conclude(context, state, endedBy(context, runs), chosen?.judged.candidate);
  const told = describeArms(runs, judged, chosen);
  const { remarks } = end.findings;
  return {
    ...end,
    candidates: judged.length,
    findings: {
      ...end.findings,
      remarks: [...told, ...remarks],
    },
  };
}

function endedBy({ limits }: Pick<ActionContext, "limits">, runs: readonly ArmRun[]): ThinkEnd<true> {
  const limit = limits.exhausted() ?? runs.find(({ end }) => end.limited)?.end.reason;
  if (limit !== undefined) return { kind: "stopped", because: "limit", message: limit, steps: runs.length };
  return { kind: "ended", value: true, steps: runs.length };
}
