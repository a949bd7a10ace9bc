/**
 * The unified agent: a Meta-Agent that chooses among actions over one task state (USEagent, section 3; ReAct, 20 rounds). Departures:
 * `finish` is a proposal that the gate answers, test results come from report parsers alone, and at every end the best candidate is
 * chosen by the execution matrix.
 */

import { actions } from "../../actions/index.generated.ts";
import type { Action, ActionContext } from "../../agent/action.ts";
import { judgeCandidate } from "../../agent/judge-candidate.ts";
import { openSession } from "../../agent/open-session.ts";
import { renderState } from "../../agent/render-state.ts";
import { gateHolds } from "../../agent/repair-gate.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { bestCandidate, type TaskState } from "../../agent/task-state.ts";
import { type ThinkEnd, type ThinkTool, think } from "../../agent/think.ts";
import { noFindings } from "../../domain/finding.ts";
import type { Usage } from "../../domain/solve-report.ts";
import { noUsage } from "../../domain/solve-report.ts";
import type { ModelClient } from "../../llm/contract.ts";

const rounds = 20;

const system = `You lead the work on a task in a repository. You do not read or change code yourself: you choose actions, one at a time, say with each what you want of it, and read what came out.
A task goes well in this order: find the places that matter (code-retrieval); see a test fail for the reason that the statement gives (reproduction), unless one does already; change the code (edit-code); run the tests (execute-tests); when they say no, find out why and change the candidate, or begin anew from the base with another idea; and finish with the candidate whose tests pass.
A failing test is never unimportant because it seems unrelated: the gate compares with the run without the patch. Do not repeat what failed with the same words.`;

export default defineStrategy({
  name: "unified",
  description: "a model that chooses among actions over one task state, held to the gate",
  kinds: ["repair", "partial-fix"],
  needsModel: true,
  run: runUnified,
});

async function runUnified(context: StrategyContext): Promise<StrategyEnd> {
  const session = await openSession(context);
  if (!session.ok) return endWith(noUsage, session.message);
  const { actionContext, state: first, close } = session.value;
  try {
    const work = { state: first };
    context.recorder.append({
      event: "phase-started",
      phase: "repair",
      title: "let the model choose actions",
    });
    const ended = await think<true>(actionContext, {
      role: "planning",
      system,
      opening: openingOf(actionContext, first),
      tools: actionTools(actionContext, work),
      maxSteps: rounds,
    });
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the best candidate" });
    return await conclude(actionContext, work.state, ended);
  } finally {
    close();
  }
}

/** The actions of the task's kind, each over the state that the ones before it left. */
function actionTools(context: ActionContext, work: { state: TaskState }): ThinkTool<true>[] {
  return (actions as readonly unknown[] as readonly Action[])
    .filter(({ kinds }) => kinds.includes(context.task.kind))
    .map(({ name, description, input, run }) => ({
      name,
      description,
      input,
      async run(asked) {
        context.limits.spendStep();
        const { state, text, isError = false, isEnd } = await run(context, work.state, asked as never);
        work.state = state;
        const reply = { text: `${text}\n\n# The state now\n\n${renderState(state)}`, isError };
        return isEnd === true ? { ...reply, end: true } : reply;
      },
    }));
}

function openingOf({ task, suite }: ActionContext, state: TaskState): string {
  const passed = suite.outcomes.filter(({ status }) => status === "passed").length;
  return [
    `# The statement\n\n${task.statement}`,
    `# The tests\n\n\`${suite.command.command}\`: ${passed} of ${suite.outcomes.length} pass on the base.`,
    `# The state\n\n${renderState(state)}`,
  ].join("\n\n");
}

async function conclude(
  context: ActionContext,
  state: TaskState,
  ended: ThinkEnd<true>,
): Promise<StrategyEnd> {
  const usage = usageOf(context.models);
  const candidate = bestCandidate(state);
  const why = ended.kind === "ended" ? "" : ` (${ended.message})`;
  if (candidate === undefined)
    return { ...endWith(usage, `No patch was written${why}.`), limited: isLimit(ended) };
  const { gate } = await judgeCandidate(context, state, candidate);
  const verified = gateHolds(gate);
  const unmet = gate.filter(({ holds }) => !holds).map(({ predicate }) => predicate);
  return {
    outcome: verified ? "verified" : "unverified",
    reason: verified
      ? "The tests that show the fault pass with the patch, and no other test breaks."
      : `The best of ${state.candidates.length} candidates is not verified: ${unmet.join(", ")}${why}.`,
    limited: !verified && isLimit(ended),
    candidate,
    testCommand: context.suite.command,
    gate,
    candidates: state.rows.length,
    findings: { ...noFindings, change: candidate.origin },
    usage,
  };
}

function isLimit(ended: ThinkEnd<true>): boolean {
  return ended.kind === "stopped" && (ended.because === "limit" || ended.because === "steps");
}

function usageOf(models: ModelClient): Usage {
  const { calls, inputTokens, cachedTokens, outputTokens, usd } = models.spent();
  return { calls, inputTokens, cachedTokens, outputTokens, usd };
}

function endWith(usage: Usage, reason: string): StrategyEnd {
  return { outcome: "none", reason, limited: false, gate: [], candidates: 0, findings: noFindings, usage };
}
