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
  .array(z.string().min(1))
  .default([])
  .describe(
    "parts that the statement asks for and the patch does not do, one sentence each with the reason. The report lists them, and the run ends unverified. Do not name tests, or what the statement does not ask for.",
  );

/** The predicate exists only if a part is open. */
export const nothingLeftOpen = "nothing-left-open";

/** Replaces what was said about the same candidate before. */
export function withLeftOpen(state: TaskState, parts: readonly string[], candidate?: string): TaskState {
  const said = parts.map((part) => part.trim()).filter((part) => part !== "");
  const { leftOpen: known = [], ...rest } = state;
  const others = known.filter((each) => each.candidate !== candidate);
  const own = { parts: said, ...(candidate === undefined ? {} : { candidate }) };
  const leftOpen = said.length === 0 ? others : [...others, own];
  return leftOpen.length === 0 ? rest : { ...rest, leftOpen };
}

/** The parts that stay open with this candidate, according to its author. */
export function leftOpenOf(
  { leftOpen = [] }: Pick<TaskState, "leftOpen">,
  id: string | undefined,
): readonly string[] {
  const own = leftOpen.filter(({ candidate }) => candidate === undefined || candidate === id);
  return [...new Set(own.flatMap(({ parts }) => parts))];
}

/** A predicate that does not hold if parts stay open; otherwise nothing. */
export function judgeLeftOpen(
  state: Pick<TaskState, "leftOpen">,
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
