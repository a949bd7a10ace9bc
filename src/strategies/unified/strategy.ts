/**
 * The unified agent: a Meta-Agent that chooses among actions over one task state (USEagent, section 3; ReAct, 20 rounds). Departures:
 * `finish` is a proposal that the gate answers, test results come from report parsers alone, at every end the best candidate is
 * chosen by the execution matrix, the planner sees its whole conversation (statement, state and last output there), a new candidate is
 * measured where it is written, what follows from measurements is done by rule (`by-rule.ts`), and a controller sends work that is
 * stuck back to an earlier candidate, another place or another idea.
 */
import { actions } from "../../actions/index.generated.ts";
import type { Action, ActionContext } from "../../agent/action.ts";
import { findLikely, renderLikely } from "../../agent/code/likely-places.ts";
import { actionTools } from "../../agent/control/action-tools.ts";
import { conclude, endWithout } from "../../agent/control/conclude.ts";
import { describeGiven, findGiven } from "../../agent/control/given-attempt.ts";
import { openSession } from "../../agent/control/open-session.ts";
import { beginWork, rescueFor } from "../../agent/control/perform-action.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { targetSection } from "../../agent/kinds/target-text.ts";
import { renderState } from "../../agent/state/render-state.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { think } from "../../agent/think/think.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { followEdits, reproduceFirst } from "./by-rule.ts";

const rounds = 20;

const system = `You lead the work on a task in a repository. You do not read or change code yourself: you choose actions, say with each what you want of it, and read what came out. Actions that do not wait for what another says can be chosen in one answer: they are done in their order.
A test that passes without the patch and fails with it is never unimportant: the gate compares both runs. Those who do an action see your words, the statement and the state, and nothing of what others read: name files, lines and names. Do not repeat what failed with the same words.
Candidates are compared by what tests say of them. When edits of the same lines do not make it more, or you go in a circle, nothing but \`backtrack\` is done until you choose a way back; what the state lists as refuted was tried.`;

/** Where nothing is refused, nobody is told that it would be. */
const unheld = system.replace(/When edits of the same lines.*?way back; w/s, "W");

export default defineStrategy({
  name: "unified",
  description: "a model that chooses among actions over one task state, held to the gate",
  kinds: taskKindSchema.options,
  needsModel: true,
  takesFacts: true,
  run: runUnified,
});

async function runUnified(context: StrategyContext): Promise<StrategyEnd> {
  const session = await openSession(context);
  if (!session.ok) return endWithout(session.message);
  const { state: first, close } = session.value;
  const measuresEdits = !context.switches.without.includes("execute-tests");
  const opened = { ...session.value.actionContext, measuresEdits };
  const { backtracking, rules, without } = context.switches;
  const work = beginWork(first, backtracking && !without.includes("backtrack"));
  try {
    // A task with a target has its place.
    const likely = rules && context.task.target === undefined ? await findLikely(opened, first) : undefined;
    const actionContext: ActionContext = { ...opened, ...(likely === undefined ? {} : { likely }) };
    context.recorder.append({
      event: "phase-started",
      phase: "repair",
      title: "let the model choose actions",
    });
    const tools = actionTools(actions as readonly unknown[] as readonly Action[], actionContext, work);
    const said = rules ? await reproduceFirst(actionContext, work, tools) : "";
    const ended = await think<true>(actionContext, {
      role: "planning",
      system: work.isHeld ? system : unheld,
      opening: await openingOf(actionContext, work.state, said),
      tools: rules && measuresEdits ? followEdits(actionContext, work, tools) : tools,
      maxSteps: rounds,
      summary: () => renderState(work.state),
      rescue: rescueFor(actionContext, work),
    });
    context.recorder.append({ event: "phase-started", phase: "verify", title: "judge the best candidate" });
    return await conclude(actionContext, work.state, ended);
  } finally {
    await close();
  }
}

const measured =
  "The tests that tell most are run on each new candidate by `edit-code` itself, and all tests by `finish`.";
const measuredByRule =
  "The tests that tell most are run on each new candidate by `edit-code` itself, and all tests where these say yes; where the gate holds then, it is reviewed at once, and proposed unless the review speaks against it: the reply tells you how far it came.";

/** `said`: what the reproduction said that came before. */
async function openingOf(context: ActionContext, state: TaskState, said: string): Promise<string> {
  const { task, suite, switches, measuresEdits } = context;
  const given = findGiven(state);
  const likely =
    context.likely === undefined ? "" : await renderLikely(context, context.likely, likelyTokens);
  const passed = suite.outcomes.filter(({ status }) => status === "passed").length;
  return [
    `# The statement\n\n${task.statement}`,
    ...(await targetSection(context)),
    `# What the gate asks\n\n${rulesOf(task.kind).goal}`,
    `# The tests\n\n\`${suite.command.command}\`: ${passed} of ${suite.outcomes.length} pass on the base.${measuresEdits === true ? ` ${switches.rules ? measuredByRule : measured}` : ""}`,
    `# The state\n\n${renderState(state)}`,
    ...(likely === "" ? [] : [`# Where it may be\n\n${likely}\n\n${ofLikely}`]),
    ...(said === "" ? [] : [`# What a reproduction said\n\n${said}`]),
    ...(given === undefined
      ? []
      : [`# The attempt\n\n${await describeGiven(context, given)}\n\n${ofAttempt}`]),
  ].join("\n\n");
}

/** Of code in the planner's opening: each of its turns pays for it. */
const likelyTokens = 1_500;
const ofLikely =
  "Where these lines decide it, choose `edit-code` at once and name them; `code-retrieval` is for what they leave open.";

const ofAttempt =
  "It was measured like every candidate. One patch has to begin with the base before the attempt is built upon a second time.";
