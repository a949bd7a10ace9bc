/** The task state as a model reads it: handles and figures, no copies of code. */
import { formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import { shorten } from "./shorten.ts";
import {
  type MatrixRow,
  type Place,
  type ShownFault,
  type TaskState,
  withoutHeldBack,
} from "./task-state.ts";

const mostPlaces = 12;
const mostFailures = 3;
const longestFailure = 1_500;

export function renderState(state: TaskState): string {
  const { fault, codePlaces, testPlaces } = state;
  const reproductions = state.candidates.filter(({ kind }) => kind === "reproduction");
  const patches = state.candidates.filter(({ kind }) => kind === "code");
  return [
    ...renderPlaces("Code locations", codePlaces),
    ...renderPlaces("Test locations", testPlaces),
    fault === undefined ? "Tests that show the fault: none yet." : renderFault(fault),
    ...reproductions.map(
      ({ id, origin }) => `Reproduction ${id}: ${origin}; it is laid beside every candidate.`,
    ),
    patches.length === 0 ? "Candidates: none yet." : "Candidates:",
    ...patches.map(({ id, parent, origin }) => {
      const row = state.rows.findLast((each) => each.candidate === id);
      const from = parent === undefined ? "" : ` (made from ${parent})`;
      return `- ${id}${from}: ${origin}${row === undefined ? "" : `; ${renderRow(row, fault)}`}`;
    }),
  ].join("\n");
}

function renderPlaces(title: string, places: readonly Place[]): string[] {
  if (places.length === 0) return [];
  const lines = places
    .slice(0, mostPlaces)
    .map(({ file, startLine, endLine, why }) => `- ${file}:${startLine}-${endLine}: ${why}`);
  return [`${title}:`, ...lines];
}

function renderFault({ targets, heldBack, reason }: ShownFault): string {
  const hidden = new Set(heldBack.map(formatTestKey));
  const shown = targets.map(formatTestKey).filter((id) => !hidden.has(id));
  const beside = hidden.size === 0 ? "" : `, and ${hidden.size} more that are held back`;
  return `Tests that show the fault: ${shown.join(", ")}${beside} (${reason.evidence}).`;
}

/** In a line: figures alone. */
export function renderRow({ targets, broken, invalid }: MatrixRow, fault: ShownFault | undefined): string {
  if (invalid !== undefined) return `its test run cannot be trusted: ${invalid}`;
  const shown = withoutHeldBack(fault, targets);
  const hidden = (fault?.heldBack ?? []).length;
  const passing = (outcomes: readonly TestOutcome[]): number =>
    outcomes.filter(({ status }) => status === "passed").length;
  const held = hidden === 0 ? "" : `, ${passing(targets) - passing(shown)} of ${hidden} held back`;
  const beside = broken === undefined ? "" : `, ${broken.length} other tests break`;
  return `${passing(shown)} of ${shown.length} tests that show the fault pass${held}${beside}`;
}

/** With the first failures' own texts. */
export function renderFailures(outcomes: readonly TestOutcome[]): string[] {
  const failing = outcomes.filter(({ status }) => isFailing(status));
  const shown = failing.slice(0, mostFailures).map(({ key, failure }) => {
    const text =
      failure === undefined
        ? ""
        : shorten(failure.text || `${failure.type}: ${failure.message}`, longestFailure);
    return `${formatTestKey(key)} fails:\n${text}`;
  });
  const more = failing.length - shown.length;
  return more > 0 ? [...shown, `… and ${more} more.`] : shown;
}
