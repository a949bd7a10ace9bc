/** The task state as a model reads it: handles and figures, no copies of code. */
import { formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import { shorten } from "./shorten.ts";
import type { MatrixRow, Place, TaskState } from "./task-state.ts";

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
    fault === undefined
      ? "Tests that show the fault: none yet."
      : `Tests that show the fault: ${fault.targets.map(formatTestKey).join(", ")} (${fault.reason.evidence}).`,
    ...reproductions.map(
      ({ id, origin }) => `Reproduction ${id}: ${origin}; it is laid beside every candidate.`,
    ),
    patches.length === 0 ? "Candidates: none yet." : "Candidates:",
    ...patches.map(({ id, parent, origin }) => {
      const row = state.rows.findLast((each) => each.candidate === id);
      const from = parent === undefined ? "" : ` (made from ${parent})`;
      return `- ${id}${from}: ${origin}${row === undefined ? "" : `; ${renderRow(row)}`}`;
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

/** In a line: figures alone. */
export function renderRow({ targets, broken, invalid }: MatrixRow): string {
  if (invalid !== undefined) return `its test run cannot be trusted: ${invalid}`;
  const passing = targets.filter(({ status }) => status === "passed").length;
  const beside = broken === undefined ? "" : `, ${broken.length} other tests break`;
  return `${passing} of ${targets.length} tests that show the fault pass${beside}`;
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
