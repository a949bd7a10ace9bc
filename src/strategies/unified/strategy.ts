/**
 * The unified agent: a Meta-Agent that chooses among actions over one task state (USEagent, section 3; ReAct, 20
 * rounds). Departures: `finish` is a proposal: the gate accepts or rejects it. Test results come only from parsed
 * reports. However the run ends, the execution matrix chooses the best candidate. The planner sees its whole
 * conversation; in the paper it sees statement, state and last output. Millwright measures a new candidate at once, and
 * performs steps that follow from measurements by rule (`by-rule.ts`). If the work makes no progress, a controller
 * sends it back to an earlier candidate, another place or another idea.
 */
import { actions } from "../../actions/index.generated.ts";
import type { ActionContext } from "../../agent/action.ts";
import { hasOwnPatch } from "../../agent/candidates/given-attempt.ts";
import { findLikely } from "../../agent/code/likely-places.ts";
import { actionTools } from "../../agent/control/action-tools.ts";
import { conclude, endWithout } from "../../agent/control/conclude.ts";
import { openSession } from "../../agent/control/open-session.ts";
import { beginWork, rescueFor, type Work } from "../../agent/control/perform-action.ts";
import { withKind } from "../../agent/kinds/with-kind.ts";
import { renderState } from "../../agent/state/render-state.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { type ThinkTool, think } from "../../agent/think/think.ts";
import { type KindChoice, taskKindSchema } from "../../domain/task.ts";
import { runAsPublished } from "./as-published.ts";
import { editFirst, followEdits, probeFirst, reproduceFirst } from "./by-rule.ts";
import { kindTool } from "./correct-kind.ts";
import { tellLeft } from "./left.ts";
import { openingOf } from "./opening.ts";
import { plannerPrompt } from "./planner.prompt.ts";

const rounds = 20;

export default defineStrategy({
  name: "unified",
  description: "lets a model choose among actions that share one task state; the gate checks the result",
  kinds: taskKindSchema.options,
  needsModel: true,
  takesFacts: true,
  run: runUnified,
});

async function runUnified(context: StrategyContext): Promise<StrategyEnd> {
  if (context.switches.asPublished) return runAsPublished(context);
  const ended = await runAs(context);
  if (!("corrected" in ended)) return ended;
  const { corrected, ...before } = ended;
  const again = await runAs(
    { ...context, task: withKind(context.task, corrected), kindChoice: corrected },
    { ...before, said: `The model corrected the kind of the task: ${corrected.kind} (${corrected.reason}).` },
  );
  if ("corrected" in again) throw new Error("the kind was corrected twice");
  return again;
}

/** The kind that the planner chose, with the state and the used steps at that time. */
interface Corrected extends Before {
  readonly corrected: KindChoice;
}

interface Before {
  readonly state: TaskState;
  /** The number of the planner's answers. */
  readonly steps: number;
  readonly actions: number;
}

async function runAs(
  context: StrategyContext,
  before?: Before & { readonly said: string },
): Promise<StrategyEnd | Corrected> {
  const session = await openSession(context);
  if (!session.ok) return endWithout(session.message);
  const { state: opened, close } = session.value;
  const measuresEdits = !context.switches.without.includes("execute-tests");
  const own = { ...session.value.actionContext, measuresEdits };
  const { backtracking, rules, without } = context.switches;
  const first = before === undefined ? opened : withPlaces(opened, before.state);
  const work = beginWork(first, backtracking && !without.includes("backtrack"));
  work.rounds = before?.actions ?? 0;
  try {
    // A task with a target has its place.
    const likely = rules && context.task.target === undefined ? await findLikely(own, first) : undefined;
    const actionContext: ActionContext = { ...own, ...(likely === undefined ? {} : { likely }) };
    context.recorder.append({
      event: "phase-started",
      phase: "repair",
      title: "let the model choose actions",
    });
    const tools = actionTools(actions, actionContext, work);
    const follows = rules && measuresEdits ? followEdits(actionContext, work, tools) : tools;
    let corrected: KindChoice | undefined;
    const correct = kindTool(context, work, (choice) => {
      corrected = choice;
    });
    const ended = await lead(actionContext, work, [...follows, ...correct], before);
    if (corrected !== undefined) {
      const { state, rounds: actionsMade } = work;
      return { corrected, state, steps: ended.steps, actions: actionsMade };
    }
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the best candidate" });
    return await conclude(actionContext, work.state, ended);
  } finally {
    await close();
  }
}

/** Takes over the findings for another kind that also hold for this one. */
function withPlaces(state: TaskState, { codePlaces, testPlaces, answers, facts }: TaskState): TaskState {
  return { ...state, codePlaces, testPlaces, answers, facts };
}

/** Performs first the steps that rules decide, and then lets the planner choose. */
async function lead(
  context: Pick<
    ActionContext,
    | "models"
    | "suite"
    | "signature"
    | "view"
    | "likely"
    | "measuresEdits"
    | "advise"
    | "task"
    | "workspace"
    | "recorder"
    | "limits"
    | "switches"
    | "decoding"
    | "signal"
  >,
  work: Work,
  tools: readonly ThinkTool<true>[],
  before?: { readonly said: string; readonly steps: number },
) {
  const { rules } = context.switches;
  const probed = rules ? await probeFirst(context, tools) : "";
  const shown = rules ? await reproduceFirst(context, work, tools) : "";
  const edited = rules ? await editFirst(context, work, tools) : undefined;
  if (edited?.end !== undefined) return { kind: "ended", value: edited.end, steps: 0 } as const;
  const said = [before?.said ?? "", probed, shown, edited?.text ?? ""]
    .filter((text) => text !== "")
    .join("\n\n");
  const maxSteps = rounds - (before?.steps ?? 0);
  const limits = `\n\n# Limits\n\n${await tellLeft(context, maxSteps)}`;
  const opening = `${await openingOf(context, work.state, said, tools)}${limits}`;
  const later = `${await openingOf(context, work.state, said, tools, false)}${limits}`;
  return think<true>(context, {
    role: "planning",
    system: plannerPrompt(work),
    opening,
    reopen: () => (hasOwnPatch(work.state) ? later : undefined),
    tools,
    maxSteps,
    left: (left) => tellLeft(context, left),
    summary: () => renderState(work.state),
    rescue: rescueFor(context, work),
  });
}
