/**
 * Handles the given attempt of a `partial-fix` task like any other candidate. Millwright does not trust it more than
 * others, and measures it before a strategy chooses a candidate.
 */

import type { Candidate } from "../../domain/candidate.ts";
import type { Task } from "../../domain/task.ts";
import type { ActionContext, JudgeContext } from "../action.ts";
import { formatSpan, overlap, type Span, spansOfDiff } from "../code/diff-spans.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { remarkOnce } from "../record/once.ts";
import { keepCandidate } from "../state/keep-candidate.ts";
import { findCandidate, type TaskState } from "../state/task-state.ts";
import type { StrategyContext } from "../strategy.ts";

const origin = "the given attempt";

export function findGiven({ candidates }: TaskState): Candidate | undefined {
  return candidates.find((each) => each.origin === origin);
}

/** True if this run has written a patch or tests. The given attempt and reproductions do not count. */
export function hasOwnPatch({ candidates }: TaskState): boolean {
  return candidates.some((each) => each.kind !== "reproduction" && each.origin !== origin);
}

/** Maximum lines of a diff to show it whole. For a longer diff, shows only its places. */
const mostDiffLines = 60;

/** Renders the attempt's changes for the model: its diff, or only the changed places if the diff is long. */
export async function describeGiven(
  { workspace: { trees, base } }: Pick<ActionContext, "workspace">,
  { id, tree }: Candidate,
): Promise<string> {
  const diff = (await trees.diff(base, tree)).replaceAll(/^(?:diff --git|index) .*\n/gm, "").trimEnd();
  const head = `${id} is the given attempt. It may be wrong, or change the wrong place. You may ignore it.`;
  if (diff.split("\n").length <= mostDiffLines) return `${head}\n\n${diff}`;
  return `${head} It changes ${spansOfDiff(diff).map(formatSpan).join(", ")}.`;
}

/** Returns the section of a model's first message that shows the given attempt; empty without an attempt. */
export async function attemptSection(
  context: Pick<ActionContext, "workspace">,
  state: TaskState,
): Promise<string[]> {
  const given = findGiven(state);
  return given === undefined ? [] : [`# The attempt\n\n${await describeGiven(context, given)}`];
}

/**
 * Returns a sentence that says which of these places the given attempt changes. "" without an attempt or without
 * places.
 */
export async function touchedByGiven(
  { workspace: { trees, base } }: Pick<ActionContext, "workspace">,
  state: TaskState,
  places: readonly Span[],
): Promise<string> {
  const given = findGiven(state);
  if (given === undefined || places.length === 0) return "";
  const touched = spansOfDiff(await trees.diff(base, given.tree)).filter((span) =>
    places.some((place) => overlap(place, span)),
  );
  return touched.length === 0
    ? `The given attempt, ${given.id}, changes none of these places.`
    : `The given attempt, ${given.id}, changes ${touched.map(formatSpan).join(", ")}.`;
}

/** True if the candidate has the id `ancestor`, or descends from the candidate with this id. */
export function descendsFrom(state: TaskState, candidate: Candidate | undefined, ancestor: string): boolean {
  for (let each = candidate; each !== undefined; each = findCandidate(state, each.parent ?? ""))
    if (each.id === ancestor) return true;
  return false;
}

/**
 * Stores the given attempt as a candidate. If the attempt does not apply, adds a remark instead. Returns the state
 * unchanged without an attempt, or if the statement contains the attempt.
 */
export async function takeGiven(context: StrategyContext, state: TaskState): Promise<TaskState> {
  const { task, workspace, recorder, switches } = context;
  if (isEmpty(task.partialPatch) || switches.partialPatch === "statement") return state;
  const applied = await workspace.trees.apply(workspace.base, task.partialPatch);
  if (applied.ok) return keepCandidate(context, state, { tree: applied.value, kind: "code", origin }).state;
  const text = `The given attempt does not apply, so Millwright ignores it: ${applied.message}`;
  remarkOnce(recorder, text);
  return state;
}

/**
 * Runs tests on the given attempt, and adds the row to the state. Runs the most informative tests first, and all tests
 * if these pass.
 */
export async function measureGiven(context: JudgeContext, state: TaskState): Promise<TaskState> {
  const given = findGiven(state);
  if (given === undefined) return state;
  const { measure } = rulesOf(context.task.kind);
  const first = await measure(context, state, given, "targets");
  if (!first.ok) return state;
  const passes = first.value.targets.every(({ status }) => status === "passed");
  const all = passes ? await measure(context, state, given, "all") : first;
  return all.ok ? { ...state, rows: [...state.rows, all.value] } : state;
}

/**
 * Adds the attempt to the statement, as the benchmark does. The attempt is then not a candidate, so no test measures
 * it.
 */
export function withAttemptInStatement(task: Task): Task {
  if (isEmpty(task.partialPatch)) return task;
  const fence = "`".repeat(
    Math.max(3, ...(task.partialPatch.match(/`+/g) ?? []).map(({ length }) => length + 1)),
  );
  const attempt = `An earlier attempt, which does not solve the task:\n\n${fence}diff\n${task.partialPatch.trimEnd()}\n${fence}`;
  return { ...task, statement: `${task.statement}\n\n${attempt}` };
}

function isEmpty(patch: string | undefined): patch is undefined {
  return patch === undefined || patch.trim() === "";
}
