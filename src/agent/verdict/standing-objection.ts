/**
 * Finds objections to a candidate that hold whatever its tests show. These are an unanswered refusal, signs of an
 * attack, careless code, and special cases.
 */
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import { readChange } from "../code/change.ts";
import { type Judged, judgeOnThread, type ThreadContext } from "../review/judges/judge-threads.ts";
import { listUnshownParts } from "../review/judges/unshown-parts.ts";
import { treesOfTests } from "../review/statement/shown-literals.ts";
import type { StatedPart } from "../review/statement/stated-parts.ts";
import { judgeSize } from "../review/texts/too-large.ts";
import { askedOf, type Review, rowOf, type TaskState } from "../state/task-state.ts";
import { reviewOf } from "./review-of.ts";
import { judgeParts } from "./stated-parts.ts";
import { judgeTwins } from "./twins.ts";

export const noStandingObjection = "no-standing-objection";

/**
 * Converts the standing objections to the candidate into a predicate. `tests`: the tests that decide whether the
 * candidate is correct.
 */
export async function judgeObjections(
  context: ObjectionContext,
  candidate: Candidate,
  tests: readonly TestKey[],
  state?: TaskState,
): Promise<Predicate> {
  const { workspace, regions } = context;
  const { trees, base } = workspace;
  const { files } = await readChange(trees, regions, base, candidate.tree);
  const { statement } = context.task;
  const review = state && (await reviewOf(workspace, candidate, state));
  const refusals = review === undefined || state === undefined ? [] : listRefusals(review, candidate, state);
  const unread = judgeSize(files).map(({ text }) => text);
  if (unread.length > 0) return refuse([...unread, ...refusals]);
  const [, ...written] = treesOfTests(workspace, state?.candidates ?? []);
  const texts = await judgeOnThread("objections", context, {
    files,
    task: { kind: context.task.kind, statement },
    tests,
    within: [candidate.tree, ...written],
    isWritten: state !== undefined,
  });
  if (!texts.ok) {
    const isCut = texts.kind === "late" && refusals.length === 0;
    return { ...refuse([texts.message, ...refusals]), ...(isCut && { isCut }) };
  }
  const isNarrow = review?.findings.some((finding) => finding.isNarrow) === true;
  // Doubts from the text remain even if the candidate was measured.
  const computed = [...texts.value.objections, ...(isNarrow ? texts.value.doubts : [])];
  // Without a model nobody can answer: there a twin only weakens the evidence.
  const twins = state === undefined ? [] : (await judgeTwins(context, candidate, review)).open;
  const parts = await openParts(context, candidate, tests, state, review);
  // A check of the review may have found the same.
  const objections = [...computed, ...refusals, ...twins, ...parts];
  if (objections.length > 0) return refuse(objections);
  const clean = "no sign of an attack or of a special case was found";
  const evidence = `${review === undefined ? "nobody reviewed the patch" : "no objection of the review is open"}, and ${clean}`;
  return { predicate: noStandingObjection, holds: true, evidence };
}

function refuse(objections: readonly string[]): Predicate {
  return { predicate: noStandingObjection, holds: false, evidence: [...new Set(objections)].join(" ") };
}

/** Lists the open stated cases. Lists none without a state, because nobody can answer questions without a model. */
async function openParts(
  context: ObjectionContext,
  candidate: Candidate,
  tests: readonly TestKey[],
  state: TaskState | undefined,
  review: Review | undefined,
): Promise<readonly string[]> {
  if (state === undefined) return [];
  const parts = await listUnshownParts(context, state, candidate, tests);
  return objectToParts(parts, tests, review);
}

/** Lists the open stated cases, or the reason why nobody can read them. Pure. */
export function objectToParts(
  parts: Judged<readonly StatedPart[]>,
  tests: readonly TestKey[],
  review: Review | undefined,
): readonly string[] {
  if (parts.ok) return judgeParts(parts.value, tests, review).open;
  if (parts.kind !== "late") return [parts.message];
  // Without time for this check, only the cases that the review left open are objections.
  const asked = (review?.parts ?? []).map(({ part }) => ({ text: part, isCertain: false }));
  return judgeParts(asked, tests, review).open;
}

type ObjectionContext = ThreadContext & Pick<ActionContext, "task">;

/**
 * Lists the review's refusals that still count. A measurement counts until the next review. An opinion counts until all
 * tests added after the review pass, and one of them shows the fault. A guard passes without the patch too, so it may
 * have nothing to do with the opinion. A check's objection counts only for the reviewed candidate, because even a changed
 * comment may remove its cause. Pure.
 */
export function listRefusals(
  { candidate, verdict = "", isApproved, findings, asked }: Review,
  { id }: Pick<Candidate, "id">,
  state: Pick<TaskState, "fault" | "rows">,
): string[] {
  const measured = findings
    .filter(({ weight }) => weight === "refuted" || (weight === "objection" && candidate === id))
    .map(({ text }) => text);
  const opinions = [
    ...(isApproved === false
      ? [`The review did not approve the patch: ${verdict.replace(/^not approved: /, "")}.`]
      : []),
    ...findings
      .filter(({ check, weight }) => check === "reviewer-of-patch" && weight === "doubt")
      .map(({ text }) => `The review did not approve the patch: ${text}`),
  ];
  return [...measured, ...(opinions.length > 0 && isRefutedByTest(asked, id, state) ? [] : opinions)];
}

function isRefutedByTest(
  asked: Review["asked"],
  id: string,
  { fault, rows }: Pick<TaskState, "fault" | "rows">,
): boolean {
  const row = rowOf({ rows }, id);
  if (asked === undefined || row === undefined || row.invalid !== undefined) return false;
  const before = new Set(asked);
  const since = askedOf(fault).filter((test) => !before.has(test));
  const shows = new Set((fault?.targets ?? []).map(formatTestKey));
  const passing = new Set(
    row.outcomes.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key)),
  );
  return since.some((test) => shows.has(test)) && since.every((test) => passing.has(test));
}

/**
 * Returns the reasons, for people, why a candidate is not verified. First the objection, if any, in its own words. Then
 * the conditions that a time limit left undecided, with the evidence so far. Last the other unmet conditions, by name;
 * those in `told` with their evidence.
 */
export function tellUnmet(gate: readonly Predicate[], told: readonly string[]): string {
  const unmet = gate.filter(({ holds }) => !holds);
  const cut = unmet.filter(({ isCut }) => isCut === true);
  const objection = unmet.find((each) => each.predicate === noStandingObjection && !cut.includes(each));
  const rest = unmet
    .filter((each) => each !== objection && !cut.includes(each))
    .map(({ predicate, evidence }) => (told.includes(predicate) ? `${predicate} (${evidence})` : predicate));
  return [
    ...(objection === undefined ? [] : [`an objection stands: ${objection.evidence.replace(/\.$/, "")}`]),
    ...cut.map(({ predicate, evidence }) => `${predicate}, which the time limit cut off (${evidence})`),
    ...rest,
  ].join("; ");
}
