/** Writes the planner's first message. Every later request contains this message, so it says nothing twice. */
import type { ActionContext } from "../../agent/action.ts";
import { describeGiven, findGiven, hasOwnPatch } from "../../agent/candidates/given-attempt.ts";
import { canMeasure } from "../../agent/candidates/measure-edit.ts";
import { targetSection } from "../../agent/candidates/target-text.ts";
import { tellPart } from "../../agent/code/collected-tests.ts";
import { listNearTests, renderLikely } from "../../agent/code/likely-places.ts";
import { foldStandardFrames } from "../../agent/code/stack-frames.ts";
import { describeGoal } from "../../agent/kinds/goal.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { shownOutcomes, tellResults } from "../../agent/measure/shown-outcomes.ts";
import { renderChanges } from "../../agent/state/render-changes.ts";
import { renderState } from "../../agent/state/render-state.ts";
import { emptyState, type TaskState } from "../../agent/state/task-state.ts";
import type { ThinkTool } from "../../agent/think/think.ts";

/** Token budget for code that rules find. */
const likelyTokens = 2_000;

/**
 * Writes the planner's opening. `said`: the results of steps that rules performed before. `tools`: the planner's tools.
 * `isGuessed`: if true, the opening also shows likely places that rules found, as long as the state has no code places
 * and no patch of its own.
 */
export async function openingOf(
  context: Pick<
    ActionContext,
    "suite" | "view" | "likely" | "measuresEdits" | "task" | "workspace" | "switches"
  >,
  state: TaskState,
  said: string,
  tools: readonly Pick<ThinkTool<true>, "name">[],
  isGuessed = true,
): Promise<string> {
  const { task, switches, measuresEdits } = context;
  const has = (action: string): boolean => tools.some(({ name }) => name === action);
  const byRule = switches.rules && measuresEdits === true ? ["review-patch", "finish"] : [];
  // For a target that is not written yet, more tests may be useful, whichever exist.
  const isShown = state.fault !== undefined && task.kind !== "code-generation";
  const isOpen = (action: string): boolean =>
    has(action) && !byRule.includes(action) && !(isShown && action === "reproduction");
  const given = findGiven(state);
  // If there is a candidate, its own lines are known, and places found by rule add nothing.
  const isOpenYet = isGuessed && !hasOwnPatch(state) && state.codePlaces.length === 0;
  const likely =
    context.likely === undefined || !isOpenYet
      ? ""
      : await renderLikely(context, context.likely, likelyTokens);
  // For other kinds, `reproduction` finds them itself.
  const hasTests = rulesOf(task.kind).parts.some(({ files }) => files !== "code");
  const near =
    context.likely === undefined || likely === "" || !hasTests ? "" : listNearTests(context.likely);
  const tests = near === "" ? [] : [near, ofNear];
  const before = { ...emptyState, kind: task.kind };
  const sections: readonly (readonly [string, string])[] = [
    ["The statement", foldStandardFrames(task.statement)],
    ["The gate's conditions", describeGoal(rulesOf(task.kind), isOpen)],
    ["The tests", describeRuns(context, state, has)],
    ["The state", said === "" ? renderState(state) : renderChanges(before, state, said)],
    [
      "Likely places",
      likely === "" ? "" : [likely, ...tests, ...(has("code-retrieval") ? [ofLikely] : [])].join("\n\n"),
    ],
    ["Steps done so far", said],
    ["The attempt", given === undefined ? "" : `${await describeGiven(context, given)}\n\n${ofAttempt}`],
  ];
  const [statement = "", ...rest] = sections
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `# ${title}\n\n${text}`);
  return [statement, ...(await targetSection(context)), ...rest].join("\n\n");
}

/** Describes the test command, and the tests that run automatically. */
function describeRuns(
  {
    task,
    suite,
    switches,
    measuresEdits,
  }: Pick<ActionContext, "suite" | "measuresEdits" | "task" | "switches">,
  state: TaskState,
  has: (action: string) => boolean,
): string {
  if (suite.lacks !== undefined)
    return `No test can run here: ${suite.lacks}. Therefore no candidate can be verified. The review reads the edits, and the run delivers them unverified.`;
  const part =
    suite.part === undefined ? "" : ` ${tellPart({ part: suite.part, outcomes: suite.outcomes })}.`;
  const isOpen = suite.part !== undefined && suite.outcomes.length === 0;
  const said = isOpen ? part : ` ${tellResults(shownOutcomes(suite), state.fault?.targets)}.${part}`;
  const base = `\`${suite.command.command}\`:${said}`;
  if (measuresEdits !== true) return base;
  const once = canMeasure(task.kind, state) ? "" : "Once a test shows the fault, ";
  const measured = `${once}\`edit-code\` measures each new candidate with the tests that show the fault, or with the candidate's own tests`;
  if (!switches.rules) return `${base} ${measured}.`;
  const proposed = has("review-patch")
    ? "a review reads the candidate, and the run proposes it unless the review objects"
    : "the run proposes the candidate";
  return `${base} ${measured}, and with all tests if these pass. If the gate holds, ${proposed}. The reply says how far the candidate got.`;
}

const ofNear = "The author of `edit-code` sees the text of the first of these tests.";

const ofLikely =
  "If these lines decide the behaviour, choose `edit-code` at once and name them. Use `code-retrieval` for open questions.";

const ofAttempt =
  "Millwright measured the attempt like every candidate. You may build on the attempt once. To build on it again, first write a patch from the base.";
