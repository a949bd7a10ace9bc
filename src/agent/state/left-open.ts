/**
 * Manages an author's statements that parts of the task are not done. They are believed, because they can only weaken a
 * verdict.
 */
import { z } from "zod";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { TaskState } from "./task-state.ts";

/** The schema of the parts that stay open. */
export const leftOpenSchema = z
  .array(z.string())
  .optional()
  .describe(
    "parts that the statement asks for and the patch does not do, one sentence each with the reason. The report lists them, and the run ends unverified. Do not name tests, or what the statement does not ask for.",
  );

/** The predicate exists only if a part is open. */
export const nothingLeftOpen = "nothing-left-open";

/** A list replaces what was said about the same candidate before; without one, that stays. */
export function withLeftOpen(
  state: TaskState,
  parts: readonly string[] | undefined,
  candidate?: string,
): TaskState {
  const { leftOpen: known = [], ...rest } = state;
  if (parts === undefined || (parts.length === 0 && known.length === 0)) return state;
  const said = parts
    .map((part) => part.trim())
    .filter((part) => !/^(?:none|nothing|n\/?a|-)?\.?$/i.test(part));
  const others = known.filter((each) => each.candidate !== candidate);
  return {
    ...rest,
    leftOpen: [...others, { parts: said, ...(candidate === undefined ? {} : { candidate }) }],
  };
}

/**
 * The parts that stay open with this candidate, according to its author. A candidate whose author said nothing leaves
 * open what its parent does.
 */
export function leftOpenOf(
  { leftOpen = [], candidates }: Pick<TaskState, "leftOpen" | "candidates">,
  id: string | undefined,
): readonly string[] {
  const own = leftOpen.find(({ candidate }) => candidate === id);
  const ofAll = leftOpen.filter(({ candidate }) => candidate === undefined);
  if (own === undefined && id !== undefined) {
    const parent = candidates.find((each) => each.id === id)?.parent;
    return leftOpenOf({ leftOpen, candidates }, parent);
  }
  return [...new Set([...ofAll, ...(own === undefined ? [] : [own])].flatMap(({ parts }) => parts))];
}

/** A predicate that does not hold if parts stay open; otherwise nothing. */
export function judgeLeftOpen(
  state: Pick<TaskState, "leftOpen" | "candidates">,
  { id }: Pick<Candidate, "id">,
): Predicate[] {
  const parts = leftOpenOf(state, id);
  return parts.length === 0
    ? []
    : [
        {
          predicate: nothingLeftOpen,
          holds: false,
          evidence: `according to the agent, parts of the statement are not done: ${parts.join("; ")}`,
        },
      ];
}

/** Tells a model what stays open with a candidate; "" if nothing does. */
export function tellLeftOpen(state: TaskState, id: string): string {
  const parts = leftOpenOf(state, id);
  return parts.length === 0
    ? ""
    : `The author of ${id} says that parts of the statement are not done: ${parts.join("; ")}`;
}
