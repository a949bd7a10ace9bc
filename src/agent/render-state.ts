/** The task state as a model reads it: handles and figures, no copies of code. */
import type { Candidate } from "../domain/candidate.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import { failureText } from "./failure-text.ts";
import { handlePrefix, type Outputs } from "./outputs.ts";
import {
  type MatrixRow,
  type Place,
  rowOf,
  type ShownFault,
  type TaskState,
  withoutHeldBack,
} from "./task-state.ts";

const mostPlaces = 12;
const mostTests = 6;
const mostListed = 8;
/** Characters: a failure that was shortened by less is not worth another look. */
const leastLost = 400;

export function renderState(state: TaskState): string {
  return linesOf(state).join("\n");
}

/**
 * What an action changed, for who read the state before and has `said`, what the action answered, before them: its lines that are in
 * neither, and one with the figures of all.
 */
export function renderChanges(before: TaskState, after: TaskState, said = ""): string {
  const known = new Set([...linesOf(before), ...said.split("\n")].map((line) => line.trim()));
  const fresh: string[] = [];
  let heading: string | undefined;
  for (const line of linesOf(after)) {
    if (!line.startsWith("- ")) heading = line.endsWith(":") ? line : undefined;
    if (line === heading || known.has(line)) continue;
    if (heading !== undefined) fresh.push(heading);
    heading = undefined;
    fresh.push(line);
  }
  return [...fresh, figuresOf(after)].join("\n");
}

/** Each is whole by itself; those that begin with `- ` belong to the heading above. */
function linesOf(state: TaskState): string[] {
  const { fault, codePlaces, testPlaces, facts, assumptions, refuted } = state;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${oneLine(item)}`)];
  const made = (kind: Candidate["kind"]): Candidate[] =>
    state.candidates.filter((each) => each.kind === kind);
  const patches = [...made("code"), ...made("test")];
  return [
    ...list("Code locations", codePlaces.slice(0, mostPlaces).map(renderPlaceOf)),
    ...list("Test locations", testPlaces.slice(0, mostPlaces).map(renderPlaceOf)),
    ...list("Known of the project", facts.slice(-mostListed)),
    ...list("Taken for granted", assumptions),
    ...list("Requirements", state.requirements.map(renderRequirement)),
    fault === undefined ? "Tests that show the fault: none yet." : renderFault(fault),
    ...made("reproduction").map(
      ({ id, origin }) => `Reproduction ${id}: ${oneLine(origin)}; it is laid beside every candidate.`,
    ),
    patches.length === 0 ? "Candidates: none yet." : "Candidates:",
    ...patches.map((candidate) => renderCandidate(state, candidate)),
    ...list(
      "Refuted",
      refuted.map(({ candidates, note }) => `${candidates.join(", ")}: ${note}`),
    ),
  ];
}

function renderPlaceOf({ file, startLine, endLine, why }: Place): string {
  return `${file}:${startLine}-${endLine}: ${why}`;
}

function renderRequirement({ id, text, tests, changes }: TaskState["requirements"][number]): string {
  const by = (what: string, items: readonly string[]): string =>
    items.length === 0 ? `no ${what}` : `${what} ${items.join(", ")}`;
  return `${id}. ${text} (${by("test", tests)}; ${by("change", changes)})`;
}

function renderCandidate(state: TaskState, { id, parent, origin }: Candidate): string {
  const row = rowOf(state, id);
  const from = parent === undefined ? "" : ` (made from ${parent})`;
  const measured = row === undefined ? "" : `; ${renderRow(row, state.fault)}`;
  const review = state.reviews.findLast(({ candidate }) => candidate === id);
  const found = (review?.findings ?? []).filter(({ weight }) => weight !== "note");
  const reviewed = found.map(({ check, weight, text }) => `${weight}: ${text} (${check})`).join("; ");
  return `- ${id}${from}: ${oneLine(origin)}${measured}${reviewed === "" ? "" : `; review: ${oneLine(reviewed)}`}`;
}

function renderFault({ targets, heldBack, reason }: ShownFault): string {
  const hidden = new Set(heldBack.map(formatTestKey));
  const shown = targets.map(formatTestKey).filter((id) => !hidden.has(id));
  const more = shown.length > mostTests ? ` and ${shown.length - mostTests} more` : "";
  const beside = hidden.size === 0 ? "" : `, and ${hidden.size} more that are held back`;
  return `Tests that show the fault: ${shown.slice(0, mostTests).join(", ")}${more}${beside} (${oneLine(reason.evidence)}).`;
}

/** In a line: figures alone. */
export function renderRow(
  { targets, broken, invalid, told }: MatrixRow,
  fault: ShownFault | undefined,
): string {
  if (told !== undefined) return told;
  if (invalid !== undefined) return `its test run cannot be trusted: ${invalid}`;
  const shown = withoutHeldBack(fault, targets);
  const hidden = (fault?.heldBack ?? []).length;
  const passing = (outcomes: readonly TestOutcome[]): number =>
    outcomes.filter(({ status }) => status === "passed").length;
  const held = hidden === 0 ? "" : `, ${passing(targets) - passing(shown)} of ${hidden} held back`;
  const beside = broken === undefined ? "" : `, ${broken.length} other tests break`;
  return `${passing(shown)} of ${shown.length} tests that show the fault pass${held}${beside}`;
}

function figuresOf({ codePlaces, testPlaces, fault, candidates, requirements }: TaskState): string {
  const open = requirements.filter(({ tests, changes }) => tests.length === 0 || changes.length === 0).length;
  const figures = [
    `${codePlaces.length} code locations`,
    ...(testPlaces.length === 0 ? [] : [`${testPlaces.length} test locations`]),
    `${fault?.targets.length ?? 0} tests show the fault`,
    `${candidates.filter(({ kind }) => kind !== "reproduction").length} candidates`,
    ...(requirements.length === 0 ? [] : [`${open} of ${requirements.length} requirements open`]),
  ];
  return `In all: ${figures.join(", ")}.`;
}

/** The first failure with its text, the others in a line each. `outputs`: where the whole text is kept, if anywhere. */
export function renderFailures(outcomes: readonly TestOutcome[], outputs?: Outputs): string[] {
  const failing = outcomes.filter(({ status }) => isFailing(status));
  const [first, ...others] = failing;
  if (first === undefined) return [];
  const text = failureText(first);
  const whole = first.failure?.text ?? "";
  const isLess = outputs !== undefined && whole.length > text.length + leastLost;
  const rest = isLess
    ? `\n(${handlePrefix}${outputs.keep(whole)} has all ${whole.split("\n").length} lines)`
    : "";
  const lines = others.slice(0, mostListed).map(({ key, failure }) => {
    const said = failure === undefined ? "" : `: ${oneLine(`${failure.type}: ${failure.message}`)}`;
    return `${formatTestKey(key)} fails${said}`;
  });
  const more = others.length - lines.length;
  return [
    `${formatTestKey(first.key)} fails:\n${text}${rest}`,
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
    ...(more > 0 ? [`… and ${more} more.`] : []),
  ];
}

const longestLine = 300;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
}
