/** Renders the task state for models: handles and figures, no copies of code. */
import { countOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey, isFailing, type TestOutcome, type TestStatus } from "../../domain/test-outcome.ts";
import { handlePrefix, type Outputs } from "../record/outputs.ts";
import { firstSentence } from "../record/shorten.ts";
import { failureText, wholeText } from "./failure-text.ts";
import { tellOthers } from "./other-results.ts";
import { raisedError, renderRaised } from "./raised-error.ts";
import { type StandaloneProgram, tellProgramRun } from "./standalone-program.ts";
import {
  type MatrixRow,
  type Place,
  rowOf,
  type ShownFault,
  type TaskState,
  withoutHeldBack,
} from "./task-state.ts";
import { listTests, nameAfter } from "./test-titles.ts";

const mostPlaces = 12;
const mostTests = 6;
const mostListed = 8;
/** Minimum number of omitted characters from which viewing the whole failure is worthwhile. */
const leastLost = 400;

/** A kind's description of the tests that must pass. */
const ofTarget = "Tests of the target that fail without it";
const ofFault = "Tests that show the fault";
const ofReview = "Tests of the candidates that fail without a patch";

/** Says that no test shows the fault or the target yet; empty for kinds whose tests are in their candidates. */
export function nothingShown({ kind = "repair" }: Pick<TaskState, "kind">): string[] {
  return kind === "code-generation"
    ? [`${ofTarget}: none yet.`]
    : hasFault(kind)
      ? [`${ofFault}: none yet.`]
      : [];
}

function hasFault(kind: TaskKind): boolean {
  return kind === "repair" || kind === "partial-fix";
}

export function isFaultLine(line: string): boolean {
  return [ofTarget, ofFault, ofReview].some((title) => line.startsWith(`${title}: `));
}

export function renderState(state: TaskState): string {
  return linesOf(state).join("\n");
}

/**
 * Renders the state as lines. Each line makes sense alone, except that a line with `- ` belongs to the heading above.
 */
export function linesOf(state: TaskState): string[] {
  const { fault, codePlaces, testPlaces, facts, assumptions, refuted } = state;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:`, ...items.map((item) => `- ${oneLine(item)}`)];
  const made = (kind: Candidate["kind"]): Candidate[] =>
    state.candidates.filter((each) => each.kind === kind);
  const patches = [...made("code"), ...made("test")];
  return [
    ...list("Code locations", codePlaces.slice(0, mostPlaces).map(renderPlaceOf)),
    ...list("Test locations", testPlaces.slice(0, mostPlaces).map(renderPlaceOf)),
    ...list(
      "Known about the project",
      facts
        .filter(({ kind: of }) => of !== "flaky")
        .slice(-mostListed)
        .map(({ text }) => text),
    ),
    ...list("Assumptions", assumptions),
    ...list("Requirements", state.requirements.map(renderRequirement)),
    ...(fault === undefined ? nothingShown(state) : [renderFault(fault, state.kind)]),
    ...list(
      "Standalone programs, which run with each candidate and verify no patch",
      (state.programs ?? []).map(renderProgram),
    ),
    ...made("reproduction").map(
      ({ id, origin }) => `Reproduction ${id}: ${oneLine(origin)}; its tests run with every candidate.`,
    ),
    ...(patches.length === 0 ? [] : ["Candidates:"]),
    ...patches.map((candidate) => renderCandidate(state, candidate)),
    ...list(
      "Test runs",
      latestRuns(state).map((row) => renderRunOf(row, fault)),
    ),
    ...list(
      "Refuted",
      refuted.map(({ candidates, note }) => `${candidates.join(", ")}: ${note}`),
    ),
  ];
}

function renderProgram({ command, base, aside }: StandaloneProgram): string {
  const left = aside === undefined ? "" : `; it does not count: ${aside}`;
  return `\`${command}\`: on the base, it ${tellProgramRun(base)}${left}`;
}

function renderPlaceOf({ file, startLine, endLine, why }: Place): string {
  return `${file}:${startLine}-${endLine}: ${why}`;
}

/** Renders a requirement with its tests and changes, if any. */
export function renderRequirement({
  id,
  text,
  tests,
  changes,
  kept,
}: TaskState["requirements"][number]): string {
  if (tests.length + changes.length === 0) return `${id}. ${text}`;
  const by = (what: string, items: readonly string[]): string =>
    items.length === 0 ? `no ${what}` : `${what} ${items.join(", ")}`;
  const before = kept === true ? "; according to the patch's author, the unchanged code meets it" : "";
  return `${id}. ${text} (${by("test", tests)}; ${by("change", changes)}${before})`;
}

function renderCandidate(state: TaskState, { id, parent, origin }: Candidate): string {
  const row = rowOf(state, id);
  const from = parent === undefined ? "" : ` (made from ${parent})`;
  const failing = withoutHeldBack(state.fault, row?.targets ?? []).filter(({ status }) => isFailing(status));
  const named =
    failing.length === 0 ? "" : `; failing: ${listTests(failing.slice(0, 2).map(({ key }) => key))}`;
  const measured = row === undefined ? "" : `; ${renderRow(row, state.fault)}${named}`;
  const review = state.reviews.findLast(({ candidate }) => candidate === id);
  const found = (review?.findings ?? []).filter(
    ({ check, weight }) => weight !== "note" && (check !== "reviewer" || review?.verdict === undefined),
  );
  const said = found.map(({ check, weight, text }) => `${weight}: ${text} (${check})`);
  const reviewed = [...(review?.verdict === undefined ? [] : [review.verdict]), ...said].join("; ");
  return `- ${id}${from}: ${oneLine(firstSentence(origin))}${measured}${reviewed === "" ? "" : `; review: ${oneLine(reviewed)}`}`;
}

/** The newest rows that judge no single candidate: sets, chosen tests and commands. Of equal runs, only the newest. */
function latestRuns({ rows, candidates }: TaskState): MatrixRow[] {
  const ids = new Set(candidates.map(({ id }) => id));
  const runs = rows.filter(
    ({ candidate, ran, told }) => told !== undefined && (ran !== undefined || !ids.has(candidate)),
  );
  const newest = new Map(runs.map((row) => [`${row.candidate} ${row.ran ?? ""}`, row]));
  return [...newest.values()].slice(-mostListed);
}

function renderRunOf(row: MatrixRow, fault: ShownFault | undefined): string {
  const failing = withoutHeldBack(fault, row.outcomes)
    .filter(({ status }) => isFailing(status))
    .map(({ key }) => key);
  return `${renderRun(row)}${failing.length === 0 ? "" : `; failing: ${listTests(failing.slice(0, mostTests))}`}`;
}

/** Renders the candidates, the chosen tests or command, and the figures of a run. */
export function renderRun({ candidate, ran, told = "" }: MatrixRow): string {
  return `${[candidate, ...(ran === undefined ? [] : [ran])].join(", ")}: ${told}`;
}

export function renderFault({ targets, heldBack, reason }: ShownFault, kind: TaskKind = "repair"): string {
  const title = kind === "code-generation" ? ofTarget : hasFault(kind) ? ofFault : ofReview;
  const hidden = new Set(heldBack.map(formatTestKey));
  const shown = targets.filter((key) => !hidden.has(formatTestKey(key)));
  const more = shown.length > mostTests ? ` and ${shown.length - mostTests} more` : "";
  const held =
    hidden.size === 0 ? "" : `${hidden.size}${shown.length === 0 ? "" : " more"} that are held back`;
  const named = shown.length === 0 ? [] : [`${listTests(shown.slice(0, mostTests))}${more}`];
  const listed = [...named, ...(held === "" ? [] : [held])].join(", and ");
  // Names of tests appear only once, above the figures.
  const why = shown.reduce((text, key) => text.replaceAll(`${formatTestKey(key)}: `, ""), reason.evidence);
  return `${title}: ${listed} (${oneLine(why, longestReason)}).`;
}

/** Renders the figures of a row in one line. */
export function renderRow(
  { targets, broken, compared, invalid, told }: MatrixRow,
  fault: ShownFault | undefined,
): string {
  if (told !== undefined) return told;
  if (invalid !== undefined) return `its test run cannot be trusted: ${invalid}`;
  const shown = withoutHeldBack(fault, targets);
  const held = targets.length - shown.length;
  const passing = (outcomes: readonly TestOutcome[]): number =>
    outcomes.filter(({ status }) => status === "passed").length;
  const beside = [
    ...tellOthers(shown),
    ...(broken === undefined ? [] : [tellBroken(broken, compared)]),
    ...notRunYet(targets, fault),
  ];
  // One total, as in the gate, and how many of the held-back tests it contains.
  const hidden =
    held === 0 ? "" : ` (including ${passing(targets) - passing(shown)} of ${held} held-back tests)`;
  const first = `${passing(targets)} of ${countOf(targets.length, "test that shows", "tests that show")} the fault ${wordFor(passing(targets), "passes", "pass")}${hidden}`;
  return [first, ...beside].join(", ");
}

/** Maximum number of broken tests that a row names. */
export const mostBroken = 3;

function tellBroken(broken: readonly string[], compared: number | undefined): string {
  const more = broken.length > mostBroken ? ", …" : "";
  const named = broken.length === 0 ? "" : ` (${broken.slice(0, mostBroken).join(", ")}${more})`;
  if (compared === undefined)
    return `${countOf(broken.length, "other test breaks", "other tests break")}${named}`;
  const verb = wordFor(broken.length, "breaks", "break");
  return `${broken.length} of ${countOf(compared, "other test")} ${verb}${named}`;
}

/** Names tests that were added after the run. They have no result yet, and do not count as failing. */
function notRunYet(targets: readonly TestOutcome[], fault: ShownFault | undefined): string[] {
  const run = new Set(targets.map(({ key }) => formatTestKey(key)));
  const added = (fault?.targets ?? []).filter((key) => !run.has(formatTestKey(key))).length;
  return added === 0 ? [] : [`${added} added since then ${added === 1 ? "was" : "were"} not run yet`];
}

/** Returns the verb for a status. A test that exceeds Millwright's limit hangs or is slow, but did not fail. */
function verbOf(status: TestStatus): string {
  return status === "timed-out" ? "timed-out (the test hangs, or is slow)" : "fails";
}

/** Counts the omitted lines, and names the handle under which `outputs` keeps them: `3 more (output:1a2b3c4d)`. */
export function tellMore(lines: readonly string[], outputs: Outputs | undefined): string {
  const handle = outputs === undefined ? "" : ` (${handlePrefix}${outputs.keep(lines.join("\n"))})`;
  return `${lines.length} more${handle}`;
}

/**
 * Renders the first failure with its text, and the others on one line each. `outputs`: stores the whole text, if given.
 */
export function renderFailures(outcomes: readonly TestOutcome[], outputs?: Outputs): string[] {
  const failing = outcomes.filter(({ status }) => isFailing(status));
  const [first, ...others] = failing;
  if (first === undefined) return [];
  const text = failureText(first);
  const whole = wholeText(first);
  const isLess = outputs !== undefined && whole.length > text.length + leastLost;
  const rest = isLess
    ? `\n(${handlePrefix}${outputs.keep(whole)} has all ${whole.split("\n").length} lines)`
    : "";
  const all = others.map(({ key, status, failure }) => {
    const said = failure === undefined ? "" : `: ${oneLine(renderRaised(raisedError(failure)))}`;
    return `${nameAfter(first.key, key)} ${verbOf(status)}${said}`;
  });
  const lines = all.slice(0, mostListed);
  return [
    `${formatTestKey(first.key)} ${verbOf(first.status)}:\n${text}${rest}`,
    ...(lines.length === 0 ? [] : [lines.join("\n")]),
    ...(all.length > lines.length ? [`… and ${tellMore(all.slice(mostListed), outputs)}.`] : []),
  ];
}

const longestLine = 300;
const longestReason = 200;

function oneLine(text: string, longest = longestLine): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
