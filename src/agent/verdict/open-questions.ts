/** Finds open questions about a candidate. Millwright does not verify the candidate before a review answers them. */
import type { Candidate } from "../../domain/candidate.ts";
import type { JudgeContext } from "../action.ts";
import type { ThreadContext } from "../review/judges/judge-threads.ts";
import { listUnshownParts } from "../review/judges/unshown-parts.ts";
import type { TaskState } from "../state/task-state.ts";
import { judgeTwins } from "./twins.ts";

/**
 * Returns true if a review must answer questions. They concern unchanged places that equal the replaced code, and
 * stated cases that no test names.
 */
export async function hasOpenQuestions(
  context: ThreadContext & Pick<JudgeContext, "task">,
  state: Pick<TaskState, "candidates" | "fault">,
  candidate: Candidate,
): Promise<boolean> {
  const { open } = await judgeTwins(context, candidate, undefined);
  if (open.length > 0) return true;
  const parts = await listUnshownParts(context, state, candidate, state.fault?.targets ?? []);
  return parts.ok && parts.value.length > 0;
}

/**
 * Lists stated cases as remarks for the author. Neither a deciding test nor another test of the candidate's tree checks
 * them.
 */
export async function tellOpenCases(
  context: ThreadContext & Pick<JudgeContext, "task">,
  state: Pick<TaskState, "candidates" | "fault">,
  candidate: Candidate,
): Promise<string[]> {
  const parts = await listUnshownParts(context, state, candidate, state.fault?.targets ?? []);
  return parts.ok ? parts.value.map(({ text }) => `- ${text}`) : [];
}
