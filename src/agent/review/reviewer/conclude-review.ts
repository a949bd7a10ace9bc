/** Sums up the results of a review: the findings that still hold, the verdict, and an answer for the caller. */
import { countOf, wordFor } from "../../../base/count.ts";
import { formatTestKey, isFailing } from "../../../domain/test-outcome.ts";
import type { ActionEnd } from "../../action.ts";
import { shorten } from "../../record/shorten.ts";
import { findClaim } from "../../state/says-wrong.ts";
import { askedOf, type Review, type ReviewFinding, rowOf, type TaskState } from "../../state/task-state.ts";
import { describeMutants } from "../checks/mutants.ts";
import { isRefuted, sortFindings } from "./battery.ts";
import type { ReviewWork, Verdict } from "./verdict.ts";

interface Judged {
  readonly verdict: Verdict | undefined;
  /** The reason why there is no review. */
  readonly unanswered: string;
}

/** Maximum characters of the reviewer's analysis of the patch, and of the tests. */
const longestAnalysis = 600;
/** Maximum characters of a test's output. */
const longestMessage = 200;

/** Summarises a review: the verdict with its reason, refutations, doubts, and the next step. */
export function concludeReview(
  work: ReviewWork,
  battery: Review,
  { verdict, unanswered }: Judged,
): ActionEnd {
  const review = {
    ...withVerdict(battery, work, verdict),
    asked: askedOf(work.state.fault),
    ...(verdict === undefined || verdict.twins.length === 0 ? {} : { twins: verdict.twins }),
    ...(verdict === undefined || verdict.parts.length === 0 ? {} : { parts: verdict.parts }),
  };
  const listed = review.findings.filter(({ check }) => check !== "reviewer");
  const list = (title: string, weight: ReviewFinding["weight"]): string[] => {
    const of = listed.filter((finding) => finding.weight === weight);
    return of.length === 0 ? [] : [[title, ...of.map(({ check, text }) => `- ${check}: ${text}`)].join("\n")];
  };
  const { patch, tests } = verdict ?? {};
  const advice = [patch?.advice ?? "", tests?.advice ?? ""].filter((text) => text !== "");
  const text = [
    headOf(review, verdict, unanswered),
    ...(patch === undefined ? [] : [shorten(analysisOf(review, patch), longestAnalysis)]),
    ...(tests === undefined
      ? []
      : [`Tests${tests.approved ? "" : ", not approved"}: ${shorten(tests.analysis, longestAnalysis)}`]),
    ...(advice.length === 0 ? [] : [`Advice: ${advice.join(" ")}`]),
    ...list("Refuted by a measurement:", "refuted"),
    ...list("Objections (the candidate is not verified while they remain):", "objection"),
    ...list("Doubts (check whether they matter):", "doubt"),
    nextStep(review, verdict, work.state),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
  return { state: { ...work.state, reviews: [...work.state.reviews, review] }, text };
}

function withVerdict(review: Review, work: ReviewWork, verdict: Verdict | undefined): Review {
  const dropped = verdict?.drop ?? [];
  const isVoid = ({ test: about }: ReviewFinding): boolean => dropped.some(({ test }) => test === about);
  const { mutants, broken } = work;
  const now = mutants === undefined ? [] : describeMutants(mutants);
  const isOld = ({ check }: ReviewFinding): boolean => check === "mutants" && mutants !== undefined;
  const findings = sortFindings([
    ...opinionsOf(verdict),
    ...broken.map(
      ({ key, failure }): ReviewFinding => ({
        check: "added-tests",
        weight: "refuted",
        text: `A test of the review passes without the patch and fails with it: ${formatTestKey(key)}${failure === undefined ? "" : ` (${failure.type}: ${shorten(failure.message, longestMessage)})`}.`,
      }),
    ),
    ...review.findings.filter((finding) => !isVoid(finding) && !isOld(finding)),
    ...now.map((finding) => ({ check: "mutants", ...finding })),
  ]);
  const isJudged = verdict !== undefined && !isRefuted({ ...review, findings });
  if (!isJudged) return { ...review, findings };
  const advice = adviceOf(verdict);
  const approvesTests = verdict.tests.approved;
  return {
    ...review,
    verdict: lineOf(verdict),
    isApproved: verdict.patch.approved,
    approvesTests,
    ...(advice === undefined ? {} : { advice }),
    findings,
  };
}

/** Advice for the author who continues from the candidate. Undefined if the author should begin anew. */
function adviceOf({ patch: { approved, beginAnew, analysis, advice } }: Verdict): string | undefined {
  return approved || beginAnew || advice === "" ? undefined : `${analysis.replace(/\.?$/, ".")} ${advice}`;
}

function opinionsOf(verdict: Verdict | undefined): ReviewFinding[] {
  const finding = (text: string): ReviewFinding => ({ check: "reviewer", weight: "doubt", text });
  if (verdict === undefined) return [];
  const { patch, tests } = verdict;
  return [
    ...(patch.approved ? [] : [finding(`${lineOf(verdict)}. ${patch.analysis}`)]),
    ...(tests.approved ? [] : [finding(`Tests: ${tests.analysis}`)]),
  ];
}

/** Renders the verdict, such as `not approved: changes the wrong place`. */
function lineOf({ patch }: Verdict): string {
  return `${patch.approved ? "approved" : "not approved"}: ${whyOf(patch).replace(/\.\s*$/, "")}`;
}

/** Returns the headline, or else the first sentence of the analysis. */
function whyOf({ headline, analysis }: Verdict["patch"]): string {
  return headline === "" ? (/^.*?(?=[.;](?:\s|$))/s.exec(analysis)?.[0] ?? analysis) : headline;
}

/** Returns the analysis without the words that the verdict's line already contains. */
function analysisOf(review: Review, patch: Verdict["patch"]): string {
  const why = whyOf(patch);
  const { analysis, approved } = patch;
  if (isRefuted(review)) return `The reviewer ${approved ? "found nothing wrong" : "agrees"}: ${analysis}`;
  return analysis.startsWith(why) ? analysis.slice(why.length).replace(/^[.;]?\s*/, "") : analysis;
}

function headOf(review: Review, verdict: Verdict | undefined, unanswered: string): string {
  const { candidate: id, findings } = review;
  if (isRefuted(review)) return `${id} is refuted.`;
  if (verdict === undefined) return `${id} is not refuted, but no reviewer judged it (${unanswered}).`;
  const hasDoubts = findings.some(({ check, weight }) => weight === "doubt" && check !== "reviewer");
  return `${id} is ${lineOf(verdict)}${hasDoubts ? " (there are doubts)" : ""}.`;
}

function nextStep(review: Review, verdict: Verdict | undefined, state: TaskState): string {
  const { candidate: id } = review;
  if (verdict?.patch.approved === false) {
    if (verdict.patch.beginAnew) return `Next: edit-code from base; keep nothing of ${id}.`;
    return verdict.patch.advice === ""
      ? `Next: edit-code from base, or from ${id} if its change is correct but not sufficient.`
      : `Next: edit-code from ${id} as advised.`;
  }
  if (isRefuted(review))
    return `Next: write another candidate that meets the statement in general, from ${id} or from base.`;
  const row = rowOf(state, id);
  const failing = (row?.targets ?? []).filter(({ status }) => isFailing(status)).length;
  const { counted, isClaimable } = row?.isCut === true ? notBroken : countBroken(row?.broken ?? [], state);
  const left = failing + counted;
  if (left === 0) return `Next: finish with ${id}.`;
  const claim = isClaimable
    ? ` If the statement calls the asserted result of a broken test wrong, finish with ${id} and name this test in \`saysWrong\`.`
    : "";
  return `Next: edit-code from ${id}, because ${countOf(left, "test")} ${wordFor(left, "fails", "fail")} with it.${claim}`;
}

const notBroken = { counted: 0, isClaimable: false };

/**
 * Counts the broken tests for which no review agrees with a claim. `isClaimable`: true if a broken test has no claim
 * yet.
 */
function countBroken(broken: readonly string[], { saysWrong = [] }: TaskState): typeof notBroken {
  const claims = broken.map((id) => findClaim(saysWrong, broken, id));
  return {
    counted: claims.filter((claim) => claim?.isAgreed !== true).length,
    isClaimable: claims.includes(undefined),
  };
}
