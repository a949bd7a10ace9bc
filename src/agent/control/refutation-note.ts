/** Writes the note about failed patches for later authors: one line of at most 300 tokens. */
import { isFailing } from "../../domain/test-outcome.ts";
import { formatSpan } from "../code/diff-spans.ts";
import { renderRow } from "../state/render-state.ts";
import { findCandidate, rowOf, type TaskState, type Way, withoutHeldBack } from "../state/task-state.ts";
import type { VainEdits } from "./stuck-work.ts";

/** Limits in characters, at three per token: the whole note, the model's words, the origin and a failure. */
const longest = { all: 900, words: 360, origin: 80, failure: 120 };
const mostTold = 4;

const beginnings: Readonly<Record<Way, string>> = {
  fork: "abandoned for an earlier candidate",
  elsewhere: "not here",
  hypothesis: "not for this reason",
};

/** Describes a failed attempt: first the model's own words, then test results from the matrix. */
export function noteOf(state: TaskState, { candidates, places }: VainEdits, way: Way, words: string): string {
  const said = cut(words, longest.words);
  const where = places.length === 0 ? "" : ` at ${cut(places.map(formatSpan).join(", "), longest.failure)}`;
  const told = candidates.slice(-mostTold).map((id) => describe(state, id));
  return cut([`${beginnings[way]}${where}: ${said}`, ...told].join("; "), longest.all);
}

function describe(state: TaskState, id: string): string {
  const origin = cut(findCandidate(state, id)?.origin ?? "", longest.origin);
  const row = rowOf(state, id);
  if (row === undefined) return `${id} (${origin})`;
  const failing = withoutHeldBack(state.fault, row.targets).find(({ status }) => isFailing(status));
  const message = failing?.failure === undefined ? "" : `, ${failing.key.name}: ${failing.failure.message}`;
  return `${id} (${origin}): ${renderRow(row, state.fault)}${cut(message, longest.failure)}`;
}

function cut(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`;
}
