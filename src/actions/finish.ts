import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction } from "../agent/action.ts";
import { putAside } from "../agent/candidates/put-aside.ts";
import { openRequirements } from "../agent/candidates/requirements.ts";
import { spansAfter } from "../agent/code/diff-spans.ts";
import type { Judgement } from "../agent/kinds/contract.ts";
import { awaitsReview, listUnclaimed, tellUnnamed, withRewordings } from "../agent/kinds/open-claims.ts";
import { gateHolds } from "../agent/kinds/repair-gate.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { leftOpenSchema, nothingLeftOpen, withLeftOpen } from "../agent/state/left-open.ts";
import { saysWrongSchema, withSaysWrong, wrongTests } from "../agent/state/says-wrong.ts";
import { findCandidate, type Review, type TaskState } from "../agent/state/task-state.ts";
import { judgeFinally } from "../agent/verdict/judge-finally.ts";
import { judgePrograms, programsPass, wrongPrograms } from "../agent/verdict/judge-programs.ts";
import { judgeUnverifiable } from "../agent/verdict/judge-statically.ts";
import type { Candidate } from "../domain/candidate.ts";
import type { Predicate } from "../domain/gate.ts";
import { taskKindSchema } from "../domain/task.ts";
import { formatTestKey } from "../domain/test-outcome.ts";
import reviewPatch from "./review-patch.ts";

const mostMissing = 40;
const mostNamed = 3;

const input = z.object({
  candidate: z.string().default("").describe("such as c1 or t1; leave it out if no change is needed"),
  notTheFault: z
    .array(z.object({ test: z.string(), reason: z.string().min(20) }))
    .default([])
    .describe(
      "failing tests of the repository that Millwright linked to the fault, but that fail for another reason; also wrong standalone programs of this run, each by its file. Tests named here no longer count, and the report says so. You may name tests only if a test that this run wrote shows the fault.",
    ),
  saysWrong: saysWrongSchema,
  leftOpen: leftOpenSchema,
  unverifiable: z
    .string()
    .default("")
    .describe(
      "the reason why no test of this repository can show the candidate's effect (documentation, types, build files, the environment). Example: the patch corrects a word of README.md. Leave it out otherwise.",
    ),
  nothingToChange: z
    .string()
    .default("")
    .describe(
      "evidence that the repository already meets the statement, with places and results. Example: parse.ts:40 handles the empty text, and test_empty passes. Do not name a candidate at the same time.",
    ),
});

export default defineAction({
  name: "finish",
  description:
    "Ends the work, in one of three forms. `candidate` alone proposes a candidate. Millwright runs all tests. If the gate accepts the candidate, the work ends; otherwise the reply names the unmet conditions. `candidate` with `unverifiable` delivers a change that no test can show, without verification. If the candidate has no review yet, a review reads it first. If this review or a check objects, only a second such call delivers the change. `nothingToChange` ends without a patch, unless a test shows the fault.",
  input,
  example: { candidate: "c1" },
  kinds: taskKindSchema.options,
  effect: "runs",
  reads: ["candidates", "fault", "requirements", "reviews"],
  writes: ["rows", "reviews", "candidates", "fault", "assumptions", "saysWrong", "leftOpen", "ending"],
  async run(context, given, asked) {
    const { candidate: id, unverifiable, nothingToChange } = asked;
    if (nothingToChange.trim() !== "") return endWithoutChange(given, asked);
    const rules = rulesOf(context.task.kind);
    const aside = putAside(context, given, asked.notTheFault);
    if (!aside.ok) return { state: given, text: aside.message, isError: true };
    const said = withSaysWrong(aside.value, asked.saysWrong);
    const state = withLeftOpen(said, asked.leftOpen, id);
    const candidate = findCandidate(state, id);
    if (candidate?.kind !== rules.delivers)
      return {
        state,
        text: `There is no candidate "${id}" that this task delivers. Name a patch such as c1, or tests such as t1.`,
        isError: true,
      };
    return unverifiable.trim() === ""
      ? propose(context, state, candidate)
      : handOver(context, state, candidate, unverifiable.trim());
  },
});

/** Ends the work without a patch. Refuses if the call also names a candidate, or if a failing test shows the fault. */
function endWithoutChange(
  state: TaskState,
  { candidate, nothingToChange }: z.infer<typeof input>,
): ActionEnd {
  if (candidate !== "")
    return {
      state,
      text: "Give either `candidate` or `nothingToChange`, not both.",
      isError: true,
    };
  const { fault } = state;
  if (fault?.reason.holds === true && fault.targets.length > 0)
    return {
      state,
      text: `A change is needed, because tests fail for the reason that the statement gives (${fault.reason.evidence}): ${fault.targets.slice(0, mostNamed).map(formatTestKey).join(", ")}.`,
      isError: true,
    };
  const evidence = nothingToChange.trim();
  return {
    state: { ...state, ending: { form: "nothing-to-change", evidence } },
    text: `The work ends without a patch: ${evidence}`,
    isEnd: true,
  };
}

/**
 * Requests a review of the candidate, unless one exists or reviews are disabled. Reports objections only after this new
 * review. Otherwise, delivers the candidate despite objections.
 */
async function handOver(
  context: ActionContext,
  before: TaskState,
  candidate: Candidate,
  reason: string,
): Promise<ActionEnd> {
  const { id } = candidate;
  const reviewOf = ({ reviews }: TaskState): Review | undefined =>
    reviews.findLast((review) => review.candidate === id);
  const wasReviewed = reviewOf(before) !== undefined;
  const canReview = !context.switches.without.includes("review-patch");
  const reviewed =
    wasReviewed || !canReview ? undefined : await reviewPatch.run(context, before, { candidate: id });
  const state = reviewed?.state ?? before;
  const isApproved = reviewOf(state)?.isApproved === true;
  const checked = await judgeUnverifiable(context, candidate);
  const { failing } = await judgePrograms(context, state, candidate);
  const problems = [...checked, ...failing].filter(({ holds }) => !holds);
  if ((!isApproved || problems.length > 0) && !wasReviewed && canReview)
    return {
      state,
      text: `Not yet: ${isApproved ? "a check failed" : `the review did not approve ${id}`}.\n\n${[...listUnmet(problems), reviewed?.text ?? ""].join("\n")}\n\nChange ${id} accordingly, or call \`finish\` with \`unverifiable\` again to deliver ${id} as it is.`,
      isError: true,
    };
  const { row } = await judgeFinally(context, state, candidate);
  const rows = row === undefined ? state.rows : [...state.rows, row];
  return {
    state: { ...state, rows, ending: { form: "unverifiable", candidate: id, reason } },
    text: `${id} is delivered unverified, ${isApproved ? "with an approving review" : "without an approving review"}: ${reason}`,
    isEnd: true,
  };
}

/**
 * Proposes a candidate. Unless reviews are disabled, a review reads the candidate first in two cases. (1) The candidate
 * is a regression test without a review, and would end the work: no run shows that correct code passes it. (2) There
 * are claims about broken tests, and the gate lacks only a review that agrees. In case 2, a rejected candidate gets no
 * further review.
 */
async function propose(context: ActionContext, state: TaskState, candidate: Candidate): Promise<ActionEnd> {
  const judged = await judgeFinally(context, state, candidate);
  const proposed = await proposeAs(context, state, candidate, judged);
  const last = state.reviews.findLast((review) => review.candidate === candidate.id);
  const { task, switches } = context;
  const isNew = task.kind === "regression-test" && proposed.isEnd === true && last === undefined;
  const isOpen = awaitsReview(judged) && last?.isApproved !== false && !switches.asPublished;
  if (switches.without.includes("review-patch") || !(isNew || isOpen)) return proposed;
  const asked = withRewordings(proposed.state, judged);
  const reviewed = await reviewPatch.run(context, asked, { candidate: candidate.id });
  const judgedAgain = await judgeFinally(context, reviewed.state, candidate);
  const again = await proposeAs(context, reviewed.state, candidate, judgedAgain);
  return again.isEnd === true ? again : { ...again, text: `${reviewed.text}\n\n${again.text}` };
}

async function proposeAs(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
  judged: Judgement,
): Promise<ActionEnd> {
  const { id } = candidate;
  const { gate, row, open: asked = [] } = judged;
  const beyond = [...asked, nothingLeftOpen];
  const next = row === undefined ? state : { ...state, rows: [...state.rows, row] };
  const { trees, base } = context.workspace;
  const hunks = spansAfter(await trees.diff(base, candidate.tree));
  const open = openRequirements(next, row?.outcomes ?? [], hunks);
  if (gateHolds(gate)) return { state: next, text: [`${id} is verified.`, ...open].join("\n"), isEnd: true };
  const unmet = gate.filter(({ holds }) => !holds);
  const isOpen = unmet.some(({ predicate }) => predicate === nothingLeftOpen);
  const others = unmet.filter(({ predicate }) => predicate !== nothingLeftOpen);
  if (others.length > 0 && others.every(({ isCut }) => isCut === true))
    return endCutOff(context, next, candidate, { unmet, open });
  if (unmet.every(({ predicate }) => beyond.includes(predicate)))
    return {
      state: isOpen ? { ...next, ending: { form: "left-open", candidate: id } } : next,
      text: [`${id} is delivered unverified:`, ...listUnmet(unmet), ...open].join("\n"),
      isEnd: true,
    };
  return {
    state: next,
    text: [
      "Not finished. These conditions do not hold:",
      ...listUnmet(unmet),
      ...(row?.missing ?? []).slice(0, mostMissing).map((item) => `- ${item}`),
      ...open,
      ...adviceOn(unmet, {
        isShown: state.fault !== undefined,
        unclaimed: listUnclaimed(judged, state.saysWrong ?? []),
        unnamed: tellUnnamed(judged, state.saysWrong ?? []),
      }),
    ].join("\n"),
    isError: true,
    unmet: tellFigures(unmet),
  };
}

/**
 * Decides the end if only time limits prevent verification: further changes cannot produce the missing measurements.
 * Ends the work unverified if a review approved the candidate, or if reviews are disabled. Otherwise, tells the model
 * to request a review, or to react to the one that did not approve.
 */
export function endCutOff(
  { switches }: Pick<ActionContext, "switches">,
  state: TaskState,
  { id }: Candidate,
  { unmet, open }: { readonly unmet: readonly Predicate[]; readonly open: readonly string[] },
): ActionEnd {
  const told = [...listUnmet(unmet), ...open];
  const review = state.reviews.findLast(({ candidate }) => candidate === id);
  const canReview = !switches.without.includes("review-patch");
  if (review?.isApproved === true || !canReview)
    return {
      state: { ...state, ending: { form: "out-of-time", candidate: id } },
      text: [
        `${id} is delivered unverified, because a time limit prevented measurements. These conditions and requirements are open:`,
        ...told,
      ].join("\n"),
      isEnd: true,
    };
  const next =
    review === undefined
      ? `Have ${id} reviewed. If the review approves it, \`finish\` delivers ${id} unverified.`
      : `The review did not approve ${id}. Change it, or deliver it with \`unverifiable\` and the reason.`;
  return {
    state,
    text: [
      "Not finished, because a time limit prevented measurements. These conditions and requirements are open:",
      ...told,
      next,
    ].join("\n"),
    isError: true,
    unmet: tellFigures(unmet),
  };
}

/** Conditions that hold only if a test shows the fault. */
const showing: ReadonlySet<string> = new Set([
  "failing-tests-fail-on-base",
  "new-tests-fail-before",
  "new-test-fails-on-base",
]);

/**
 * Returns advice on the unmet conditions, if any helps: other forms of `finish`, and claims about wrong programs and
 * broken tests.
 */
export function adviceOn(
  unmet: readonly Predicate[],
  {
    isShown,
    unclaimed,
    unnamed = [],
  }: {
    /** True if a failing test is linked to the fault. */
    readonly isShown: boolean;
    /** The broken tests without a claim. */
    readonly unclaimed: readonly string[];
    /** A report about claims that name no broken test. */
    readonly unnamed?: readonly string[];
  },
): string[] {
  const breaks = unmet.find(({ predicate }) => predicate === "no-test-breaks");
  return [
    ...(!isShown && unmet.some(({ predicate }) => showing.has(predicate)) ? [otherForms] : []),
    ...(unmet.some(({ predicate }) => predicate === programsPass) ? [wrongPrograms] : []),
    ...(breaks !== undefined && breaks.isCut !== true && unclaimed.length > 0
      ? [wrongTests, ...unnamed]
      : []),
  ];
}

/** Advice if no test shows the fault yet. */
const otherForms =
  "If no test of this repository can show the change (documentation, types, build files, the environment), finish with `unverifiable` and say why.";

/** Lists the unmet predicates with their figures, because a changed figure of a predicate is progress. */
function tellFigures(unmet: readonly Predicate[]): string[] {
  return unmet.map(({ predicate, evidence }) => `${predicate} (${evidence})`);
}

function listUnmet(unmet: readonly Predicate[]): string[] {
  return unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`);
}
