/** The attempt that a `partial-fix` task gives: a candidate like any other, trusted no more, and measured before anything is chosen. */
import type { Candidate } from "../domain/candidate.ts";
import type { Task } from "../domain/task.ts";
import type { ActionContext } from "./action.ts";
import { keepCandidate } from "./keep-candidate.ts";
import { rulesOf } from "./kinds/rules-of.ts";
import type { StrategyContext } from "./strategy.ts";
import { findCandidate, type TaskState } from "./task-state.ts";

const origin = "the attempt that was given";

export function findGiven({ candidates }: TaskState): Candidate | undefined {
  return candidates.find((each) => each.origin === origin);
}

/** True for the ancestor itself too. */
export function descendsFrom(state: TaskState, candidate: Candidate | undefined, ancestor: string): boolean {
  for (let each = candidate; each !== undefined; each = findCandidate(state, each.parent ?? ""))
    if (each.id === ancestor) return true;
  return false;
}

/** Puts it into the diff store; what does not apply is left out, and said. */
export async function takeGiven(context: StrategyContext, state: TaskState): Promise<TaskState> {
  const { task, workspace, recorder, switches } = context;
  if (isEmpty(task.partialPatch) || switches.partialPatch === "statement") return state;
  const applied = await workspace.trees.apply(workspace.base, task.partialPatch);
  if (applied.ok) return keepCandidate(context, state, { tree: applied.value, kind: "code", origin }).state;
  const text = `The attempt that was given does not apply, and is left out: ${applied.message}`;
  if (!recorder.events.some((event) => event.event === "remark-made" && event.text === text))
    recorder.append({ event: "remark-made", level: "warning", text });
  return state;
}

/** Runs the tests on it: those that tell most, and all where these pass. */
export async function measureGiven(context: ActionContext, state: TaskState): Promise<TaskState> {
  const given = findGiven(state);
  if (given === undefined) return state;
  const { measure } = rulesOf(context.task.kind);
  const first = await measure(context, state, given, "targets");
  if (!first.ok) return state;
  const passes = first.value.targets.every(({ status }) => status === "passed");
  const all = passes ? await measure(context, state, given, "all") : first;
  return all.ok ? { ...state, rows: [...state.rows, all.value] } : state;
}

/** The benchmark's own form: the attempt is a part of the statement, and nothing is measured. */
export function withAttemptInStatement(task: Task): Task {
  if (isEmpty(task.partialPatch)) return task;
  const fence = "`".repeat(
    Math.max(3, ...(task.partialPatch.match(/`+/g) ?? []).map(({ length }) => length + 1)),
  );
  const attempt = `An earlier attempt, which does not solve it:\n\n${fence}diff\n${task.partialPatch.trimEnd()}\n${fence}`;
  return { ...task, statement: `${task.statement}\n\n${attempt}` };
}

function isEmpty(patch: string | undefined): patch is undefined {
  return patch === undefined || patch.trim() === "";
}
