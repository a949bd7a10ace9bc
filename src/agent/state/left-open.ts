/**
 * Manages an author's reports of unfinished parts of the task. Millwright believes these reports, because they can only
 * weaken a verdict.
 */
import { z } from "zod";
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { TaskState } from "./task-state.ts";

/** The schema of the parts that the author left undone. */
export const leftOpenSchema = z
  .array(z.string())
  .optional()
  .describe(
    "parts of the statement that the patch leaves undone, one sentence each with the reason. The report lists them, and the run ends unverified. Name only work that the statement asks for, and no tests.",
  );

/** The predicate's name. The gate contains this predicate only if a part is undone. */
export const nothingLeftOpen = "nothing-left-open";

/** Adds the author's list. It replaces the candidate's earlier list. Without a list, the earlier one stays. */
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
 * Returns the parts that this candidate leaves undone, according to its author. Without a list from its author, returns
 * the parent's parts. Always includes the parts that belong to no candidate.
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

/** If parts are undone, returns a predicate that fails; otherwise returns no predicate. */
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
          evidence: `according to the agent, the patch leaves ${countOf(parts.length, "part")} of the statement undone: ${parts.join("; ")}`,
        },
      ];
}

/** Tells a model which parts a candidate leaves undone. "" if there are none. */
export function tellLeftOpen(state: TaskState, id: string): string {
  const parts = leftOpenOf(state, id);
  return parts.length === 0
    ? ""
    : `According to its author, ${id} leaves ${countOf(parts.length, "part")} of the statement undone: ${parts.join("; ")}`;
}
