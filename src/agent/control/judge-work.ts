import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { ActionContext, JudgeContext } from "../action.ts";
import { type KeptWork, keepGuards, keepWork } from "../candidates/keep-work.ts";
import { measureAll } from "../candidates/measure-all.ts";
import { type Aside, putAside } from "../candidates/put-aside.ts";
import { addNamedTests, openBase, settleBase } from "../candidates/settle-base.ts";
import { type AskedProgram, showPrograms, takesPrograms } from "../candidates/shown-programs.ts";
import type { Judgement } from "../kinds/contract.ts";
import { awaitsReview, isClaimed, listBroken, tellUnnamed, withRewordings } from "../kinds/open-claims.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { withoutPrograms } from "../measure/run-program.ts";
import { forJudgement } from "../record/limits.ts";
import { nothingLeftOpen, withLeftOpen } from "../state/left-open.ts";
import { type SaysWrong, withSaysWrong, wrongTests } from "../state/says-wrong.ts";
import { addPrograms } from "../state/standalone-program.ts";
import type { TaskState } from "../state/task-state.ts";
import type { StrategyEnd } from "../strategy.ts";
import type { ThinkEnd } from "../think/think.ts";
import { judgeFinally } from "../verdict/judge-finally.ts";
import { programsPass, wrongPrograms } from "../verdict/judge-programs.ts";
import { hasOpenQuestions, tellOpenCases } from "../verdict/open-questions.ts";
import { noStandingObjection } from "../verdict/standing-objection.ts";
import { chooseFinal } from "./choose-final.ts";
import { conclude } from "./conclude.ts";

/** Maximum number of missing items reported. */
const mostMissing = 12;

/** A thinking loop's working tree at its end, and its author's claims about the work. */
export interface WorkLeft {
  readonly tree: string;
  readonly origin: string;
  readonly aside?: readonly Aside[];
  /**
   * The author's claims. `because`: the reason why new tests show the stated fault. `saysWrong`: tests of the
   * repository that assert behaviour which the statement calls wrong.
   */
  readonly because?: string;
  readonly saysWrong?: SaysWrong;
  /** Parts of the statement that the author did not complete. */
  readonly leftOpen?: readonly string[] | undefined;
  /** Standalone programs in the tree that should show the fault. */
  readonly programs?: readonly AskedProgram[];
}

/** Reviews a candidate, and returns the state with the review. */
export type AskReview = (
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
) => Promise<TaskState>;

async function keepWithAside(
  context: JudgeContext &
    Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs" | "switches">,
  before: TaskState,
  { tree: left, origin, aside = [], because, saysWrong = [], leftOpen, programs: asked = [] }: WorkLeft,
): Promise<KeptWork> {
  const tree = await withoutPrograms(context.workspace, left);
  const { state, remarks } = await keepPrograms(context, before, left, asked);
  const read = openBase(context);
  const settled = withSaysWrong(await settleBase(context, state, { byWords: false, read }), saysWrong);
  const own = await keepWork(context, settled, tree, origin, because);
  // Tests that share only words with the statement count if no written test shows the fault.
  const withWords = await settleBase(context, own.state, { read });
  const { state: withNamed, named } = await addNamedTests(context, withWords, read);
  const kept = await keepGuards(context, { ...own, state: withLeftOpen(withNamed, leftOpen) });
  const put = putAside(context, kept.state, aside, named);
  const told = [...kept.remarks, ...remarks];
  return put.ok
    ? { ...kept, state: put.value, remarks: told }
    : { ...kept, remarks: [...told, `Millwright excluded no test: ${put.message}`] };
}

/** Keeps the author's programs that fail on the base. Remarks say why the others show nothing. */
async function keepPrograms(
  context: JudgeContext,
  state: TaskState,
  tree: string,
  asked: readonly AskedProgram[],
): Promise<Pick<KeptWork, "state" | "remarks">> {
  if (asked.length === 0 || !takesPrograms(context.task.kind)) return { state, remarks: [] };
  const { programs, refused } = await showPrograms(context, tree, asked);
  return { state: { ...state, programs: addPrograms(state.programs, programs) }, remarks: refused };
}

/**
 * Tells the author the remaining work while the author can still work: unmet predicates of the gate, written tests that
 * do not work, and stated cases that no test checks. Returns undefined if nothing remains. Parts that the author left
 * open do not count. Records the test runs: the final judgement of the same tree repeats none.
 */
export async function tellWork(
  context: ActionContext,
  state: TaskState,
  work: WorkLeft,
  review?: AskReview,
): Promise<string | undefined> {
  const kept = await keepWithAside(context, state, work);
  const { delivers } = rulesOf(context.task.kind);
  // An unmeasured candidate ranks lowest, and a given attempt would be judged instead.
  const measured = await measureAll(context, kept.state);
  const candidate = await chooseFinal(context, measured, delivers);
  const faulty = kept.faulty.map((remark) => `- ${remark}`);
  const remarks = [...kept.remarks.map((remark) => `- ${remark}`), ...faulty];
  if (candidate === undefined)
    return [`There is no ${delivers === "test" ? "test" : "patch"} to submit.`, ...remarks].join("\n");
  const answer = await settleByReview(context, measured, candidate, { review, answers: false });
  const { state: settled } = answer;
  const judged = answer.judged ?? (await judgeFinally(context, settled, candidate));
  const { gate, row } = judged;
  const unmet = gate.filter(({ holds }) => !holds);
  // The author knows the undone parts.
  if (unmet.every(({ predicate }) => predicate === nothingLeftOpen))
    return tellHolds(
      faulty,
      // The tree also has written tests that pass without the patch.
      await tellOpenCases(context, settled, { ...candidate, tree: work.tree }),
    );
  return [
    ...unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`),
    ...(row?.missing ?? []).slice(0, mostMissing).map((item) => `- ${item}`),
    ...remarks,
    ...(review === undefined
      ? []
      : tellOpinions(gate, {
          delivers,
          broken: listBroken(judged),
          isExplained: (work.because ?? "") !== "",
        })),
    ...(review === undefined ? [] : tellUnnamed(judged, settled.saysWrong ?? [])),
  ].join("\n");
}

/** Tells the author the remaining work although the gate holds; undefined if none remains. */
function tellHolds(faulty: readonly string[], open: readonly string[]): string | undefined {
  const told = [
    ...(faulty.length === 0 ? [] : ["The gate holds, but not every written test works:", ...faulty]),
    ...(open.length === 0
      ? []
      : [
          "The gate holds, but the statement also names these cases, and no test visibly checks them. Add a test for each case, and repair the code if the test fails. If there is nothing to add, submit again.",
          ...open,
        ]),
  ];
  return told.length === 0 ? undefined : told.join("\n");
}

const stated = "failure-is-the-stated-one";
const breaks = "no-test-breaks";
const opinions: Readonly<Record<string, string>> = {
  [stated]:
    "If new tests fail for the stated reason, but not in the words of the statement, explain this in `because`. Your explanation counts if a review agrees.",
  [breaks]: wrongTests,
  [programsPass]: wrongPrograms,
};

/**
 * Asks the author for claims that a review could accept: about the patch's own tests, broken tests and standalone
 * programs.
 */
export function tellOpinions(
  gate: readonly Predicate[],
  {
    delivers,
    broken,
    isExplained,
  }: {
    readonly delivers: "code" | "test";
    readonly broken: readonly string[];
    readonly isExplained: boolean;
  },
): string[] {
  const counts: Readonly<Record<string, boolean>> = {
    [stated]: delivers === "code" && !isExplained,
    [breaks]: broken.length > 0,
    [programsPass]: true,
  };
  return gate.flatMap(({ predicate, holds }) =>
    holds || counts[predicate] !== true ? [] : (opinions[predicate] ?? []),
  );
}

/**
 * Reviews the candidate before its verdict, if only open questions may keep the gate from holding
 * (`isHeldByQuestions`). Returns the new state. For strategies whose model can no longer answer.
 */
export async function answerQuestions(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate | undefined,
  review: AskReview | undefined,
): Promise<TaskState> {
  if (candidate === undefined || review === undefined) return state;
  return (await isHeldByQuestions(context, state, candidate)) ? review(context, state, candidate) : state;
}

/**
 * Returns true if the candidate has open questions (`hasOpenQuestions`), and standing objections are the only reason
 * why the gate fails. A review can then answer the questions.
 */
export async function isHeldByQuestions(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
): Promise<boolean> {
  if (!(await hasOpenQuestions(context, state, candidate))) return false;
  const { gate } = await judgeFinally(context, state, candidate);
  const unmet = gate.filter(({ holds }) => !holds).map(({ predicate }) => predicate);
  return unmet.length > 0 && unmet.every((predicate) => predicate === noStandingObjection);
}

/**
 * Judges the candidate, and asks a review if only its agreement with claims is missing. Returns the state with the
 * review's answer. `judged`: the judgement of this state; absent after a review. `answers`: the review also answers the
 * open questions.
 */
async function settleByReview(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
  { review, answers }: { readonly review: AskReview | undefined; readonly answers: boolean },
): Promise<{ readonly state: TaskState; readonly judged?: Judgement }> {
  const judged = await judgeFinally(context, state, candidate);
  const unchanged = { state, judged };
  const claimed = withRewordings(state, judged);
  const { fault, saysWrong = [] } = claimed;
  const asked = [
    ...(fault?.reason.ifAgreed === undefined || fault.reason.holds ? [] : [stated]),
    ...(saysWrong.length === 0 ? [] : [breaks]),
    ...(answers ? [noStandingObjection] : []),
  ];
  if (review === undefined || asked.length === 0) return unchanged;
  const unmet = judged.gate.filter(({ holds }) => !holds);
  // A review cannot answer claims that name no broken test: the author must correct the names first.
  if (unmet.some(({ predicate }) => predicate === breaks) && !isClaimed(judged, saysWrong)) return unchanged;
  const isAsked = unmet.length > 0 || (answers && !context.switches.asPublished);
  const canSettle = unmet.every(({ predicate }) => asked.includes(predicate)) || awaitsReview(judged);
  if (!isAsked || !canSettle) return unchanged;
  return { state: withAgreement(await review(context, claimed, candidate), candidate) };
}

/** If the review approved the candidate and its tests, the author's reason for the failures holds. */
function withAgreement(reviewed: TaskState, candidate: Candidate): TaskState {
  const said = reviewed.reviews.findLast((each) => each.candidate === candidate.id);
  const isAgreed = said?.isApproved === true && said.approvesTests === true;
  const { fault: shown } = reviewed;
  if (!isAgreed || shown?.reason.ifAgreed === undefined) return reviewed;
  const { ifAgreed: evidence } = shown.reason;
  return { ...reviewed, fault: { ...shown, reason: { ...shown.reason, holds: true, evidence } } };
}

/**
 * Measures all candidates, and chooses the best. Uses the reserved time, because the verdict repeats no run: without it, a
 * given attempt that was measured earlier would win.
 */
export async function chooseMeasured(
  context: JudgeContext,
  state: TaskState,
): Promise<{ readonly measured: TaskState; readonly best: Candidate | undefined }> {
  const whole = forJudgement(context);
  const measured = await measureAll(whole, state);
  return { measured, best: await chooseFinal(whole, measured, rulesOf(context.task.kind).delivers) };
}

/**
 * Ends a strategy's work: turns the loop's working tree into candidates, and lets the gate judge the best one. Ignores
 * the loop's own opinion of its success.
 */
export async function judgeWork(
  context: ActionContext,
  state: TaskState,
  work: WorkLeft,
  ended: ThinkEnd<true>,
  review?: AskReview,
): Promise<StrategyEnd> {
  const whole = forJudgement(context);
  const kept = await keepWithAside(whole, state, work);
  const { measured, best } = await chooseMeasured(context, kept.state);
  // Asks no review about places and tests while the author can still change them.
  const answers = best !== undefined && (await hasOpenQuestions(whole, measured, best));
  const isReviewed = best !== undefined && review !== undefined;
  const settled = isReviewed ? await settleByReview(whole, measured, best, { review, answers }) : undefined;
  const end = await conclude(context, settled?.state ?? measured, ended);
  const remarks = [...end.findings.remarks, ...kept.remarks, ...kept.faulty];
  return { ...end, findings: { ...end.findings, remarks } };
}
