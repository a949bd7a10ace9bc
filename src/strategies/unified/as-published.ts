/**
 * USEagent's Meta-Agent as published (ICSE 2026, sections 3 to 5): 20 rounds at temperature 0. In each round the model
 * sees only the description, the task state and the last action's output. It chooses one action. Millwright measures
 * nothing before the first round, by rule, or in the background. `finish` ends the run. At the limit, a model chooses
 * one of the candidates. Millwright evaluates the gate after the end, and does not show it to the model, so that
 * verdicts stay comparable. As in every strategy, if only places that equal the replaced code are an obstacle, a review
 * decides about them.
 *
 * Departures: the actions use our tools and prompts. Millwright keeps a reproduction only if its failure matches the
 * statement. The test command is the likeliest one in the project's files by rules, and no command runs to find it.
 * Millwright offers actions that need a candidate once there is one. If the user gives no kind, one call of the model
 * chooses it.
 */

import { openReview } from "../../actions/open-review.ts";
import type { ActionContext } from "../../agent/action.ts";
import { actionTools } from "../../agent/control/action-tools.ts";
import { conclude, endWithout } from "../../agent/control/conclude.ts";
import { answerQuestions } from "../../agent/control/judge-work.ts";
import { openSession } from "../../agent/control/open-session.ts";
import { beginWork, type Work } from "../../agent/control/perform-action.ts";
import { orderOf } from "../../agent/kinds/order-of.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { forJudgement } from "../../agent/record/limits.ts";
import { renderState } from "../../agent/state/render-state.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import type { StrategyContext, StrategyEnd } from "../../agent/strategy.ts";
import { joinSections } from "../../agent/think/parts.prompt.ts";
import { type ThinkEnd, type ThinkTool, type ToolReply, think } from "../../agent/think/think.ts";
import { textOf } from "../../base/fields.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { publishedPlannerPrompt } from "./as-published.prompt.ts";
import { chooseSolution } from "./choose-solution.ts";
import { publishedActions } from "./published-actions.ts";

const rounds = 20;

export interface Led {
  readonly state: TaskState;
  readonly ended: ThinkEnd<true>;
  readonly solution: Candidate | undefined;
}

export function runAsPublished(given: StrategyContext): Promise<StrategyEnd> {
  return runPublished(given, "let the model choose actions, as published", async (context, work) => {
    const ended = await goRounds(context, work);
    return { ended, solution: await solutionOf(context, work, ended) };
  });
}

type Loop = (context: ActionContext, work: Work) => Promise<Omit<Led, "state">>;

/** Runs a published loop without our additions, and then judges its solution. */
export async function runPublished(given: StrategyContext, title: string, loop: Loop): Promise<StrategyEnd> {
  const switches = { ...given.switches, rules: false, backtracking: false, heldBack: false };
  const context = { ...given, switches: { ...switches, partialPatch: "statement" as const } };
  const led = await lead(context, title, loop);
  if (led === undefined) return endWithout("The strategy needs a model.");
  context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the solution" });
  const judging = await openSession(forJudgement(context));
  if (!judging.ok) return endWithout(judging.message);
  const { actionContext, state, close } = judging.value;
  try {
    const { fault = state.fault, ...made } = led.state;
    const { solution, ended } = led;
    const reached = { ...state, ...made, fault, rows: [] };
    const answered = await answerQuestions(actionContext, reached, solution, openReview(context));
    return await conclude(actionContext, answered, ended, solution);
  } finally {
    await close();
  }
}

/** Lets the loop work; undefined without a model. */
async function lead(context: StrategyContext, title: string, loop: Loop): Promise<Led | undefined> {
  const session = await openSession(context, "unrun");
  if (!session.ok) return undefined;
  const { actionContext, state, close } = session.value;
  const work = beginWork(state);
  try {
    context.recorder.append({ event: "phase-started", phase: "repair", title });
    const done = await loop({ ...actionContext, advise: false }, work);
    return { state: work.state, ...done };
  } finally {
    await close();
  }
}

async function goRounds(context: ActionContext, work: Work): Promise<ThinkEnd<true>> {
  const tools = actionTools(publishedActions, context, work).filter(({ name }) => name !== "state");
  let last = "";
  for (let round = 1; round <= rounds; round += 1) {
    const replies: ToolReply<true>[] = [];
    const ended = await think<true>(context, {
      role: "planning",
      system: publishedPlannerPrompt,
      opening: openingOf(context, work.state, last),
      tools: tools.map((tool) => onlyFirst(tool, replies)),
      maxSteps: 1,
    });
    if (ended.kind === "ended") return { ...ended, steps: round };
    if (ended.because !== "steps") return { ...ended, steps: round };
    last =
      replies.map(({ text }) => text).join("\n\n") || "Your answer contains no action. Choose an action.";
  }
  return {
    kind: "stopped",
    because: "steps",
    message: `the limit of ${rounds} rounds was reached`,
    steps: rounds,
  };
}

/** Runs only the first of several actions in an answer, because the model chose the others without its output. */
function onlyFirst(tool: ThinkTool<true>, replies: ToolReply<true>[]): ThinkTool<true> {
  return {
    ...tool,
    async run(input) {
      if (replies.length > 0) return { text: "Not done: choose one action per round.", isError: true };
      const reply = await tool.run(input);
      replies.push(reply);
      return reply;
    },
  };
}

function openingOf({ task }: Pick<ActionContext, "task">, state: TaskState, last: string): string {
  return joinSections([
    ["The description", `${orderOf(task.kind)}\n\n${task.statement}`],
    ["The task state", renderState(state)],
    ["The output of the last action", last],
  ]);
}

/** Returns the candidate that `finish` named. If no round was left for `finish`, a model chooses a candidate. */
async function solutionOf(
  context: Pick<ActionContext, "models" | "task" | "workspace" | "limits" | "decoding" | "signal">,
  { state, history }: Work,
  ended: ThinkEnd<true>,
): Promise<Candidate | undefined> {
  const { delivers } = rulesOf(context.task.kind);
  const candidates = state.candidates.filter(({ kind }) => kind === delivers);
  const finished = history.at(-1);
  if (ended.kind === "ended" && finished !== undefined) {
    const named = textOf(finished.input, "candidate");
    return candidates.find(({ id }) => id === named);
  }
  return chooseSolution(context, state, candidates);
}
