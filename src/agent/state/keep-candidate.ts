import type { Candidate } from "../../domain/candidate.ts";
import type { Recorder } from "../record/recorder.ts";
import { nextId, type TaskState } from "./task-state.ts";

/**
 * Adds a candidate to the state under the next id, and to the run's record. A resumed run does not record it again.
 * Skips an id that the record has for another tree. This occurs if Millwright judges a loop's work before its end, and
 * later stores it again from the same state.
 */
export function keepCandidate(
  { recorder }: { readonly recorder: Pick<Recorder, "events" | "append"> },
  state: TaskState,
  made: Omit<Candidate, "id">,
): { readonly state: TaskState; readonly candidate: Candidate } {
  const first = nextId(state, made.kind);
  const recorded = recorder.events.flatMap((event) =>
    event.event === "candidate-created" ? [event.candidate] : [],
  );
  let number = Number(first.slice(1));
  const known = (): Candidate | undefined =>
    recorded.find(({ id }) => id === `${first.slice(0, 1)}${number}`);
  for (let other = known(); other !== undefined && other.tree !== made.tree; other = known()) number += 1;
  const candidate: Candidate = { id: `${first.slice(0, 1)}${number}`, ...made };
  if (known() === undefined) recorder.append({ event: "candidate-created", candidate });
  return { candidate, state: { ...state, candidates: [...state.candidates, candidate] } };
}
