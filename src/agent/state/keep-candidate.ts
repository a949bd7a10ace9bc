import type { Candidate } from "../../domain/candidate.ts";
import type { ActionContext } from "../action.ts";
import { nextId, type TaskState } from "./task-state.ts";

/** Puts a candidate into the diff store, under the next id, and into the run's record once in the life of the run. */
export function keepCandidate(
  { recorder }: Pick<ActionContext, "recorder">,
  state: TaskState,
  made: Omit<Candidate, "id">,
): { readonly state: TaskState; readonly candidate: Candidate } {
  const candidate: Candidate = { id: nextId(state, made.kind), ...made };
  const isRecorded = recorder.events.some(
    (event) => event.event === "candidate-created" && event.candidate.id === candidate.id,
  );
  if (!isRecorded) recorder.append({ event: "candidate-created", candidate });
  return { candidate, state: { ...state, candidates: [...state.candidates, candidate] } };
}
