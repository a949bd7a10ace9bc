/** Ends every strategy with a model: chooses the best candidate of the matrix, and lets the gate judge it. */
import { countOf } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { type Findings, noFindings } from "../../domain/finding.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext, VerdictContext } from "../action.ts";
import { adoptUnshown } from "../candidates/adopt-command.ts";
import { openRequirements } from "../candidates/requirements.ts";
import { tellLeftOut } from "../code/collected-tests.ts";
import { type Span, spansAfter } from "../code/diff-spans.ts";
import type { Judgement } from "../kinds/contract.ts";
import { gateHolds } from "../kinds/repair-gate.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { describeFailure } from "../measure/localize-report.ts";
import { forJudgement } from "../record/limits.ts";
import { leftOpenOf, nothingLeftOpen } from "../state/left-open.ts";
import { countedPrograms } from "../state/standalone-program.ts";
import { findCandidate, rowOf, type TaskState } from "../state/task-state.ts";
import type { StrategyEnd } from "../strategy.ts";
import type { ThinkEnd } from "../think/think.ts";
import { confirmedAfresh } from "../verdict/judge-confirmation.ts";
import { judgeFinally } from "../verdict/judge-finally.ts";
import { programsPass } from "../verdict/judge-programs.ts";
import { testsCanBeRun } from "../verdict/judge-statically.ts";
import { tellUnmet } from "../verdict/standing-objection.ts";
import { evidenceSuffices } from "../verdict/strength.ts";
import { chooseFinal } from "./choose-final.ts";
import { joinGiven } from "./join-hunks.ts";
import { measureNewest } from "./measure-newest.ts";
import { reduceGiven } from "./reduce-hunks.ts";
import { reportPrograms } from "./report-programs.ts";

/**
 * Ends a strategy with `chosen`, the candidate selected by the strategy's own rules. Without `chosen`, takes the
 * candidate of the state's ending, or else the best candidate of the matrix. If the gate rejects this best candidate,
 * takes a contender that the gate accepts (`listContenders`). The gate always judges the candidate. Ends without a
 * candidate if the ending says that no change is needed.
 */
export async function conclude(
  given: VerdictContext,
  reached: TaskState,
  ended: ThinkEnd<true>,
  chosen?: Candidate,
): Promise<StrategyEnd> {
  const context = forJudgement(given);
  const { ending } = reached;
  if (ending?.form === "nothing-to-change") return concludeUnchanged(context, reached, ending.evidence);
  // Models compare unconfirmed candidates, so they are judged as in the recorded run.
  if (context.confirms !== false) await adoptUnshown(context);
  const handedOver = ending === undefined ? undefined : findCandidate(reached, ending.candidate);
  const taken = chosen ?? handedOver;
  const rules = rulesOf(context.task.kind);
  const {
    state,
    best,
    chosen: unchanged,
  } = taken === undefined
    ? await chooseLast(context, reached)
    : { state: reached, best: taken, chosen: taken };
  const why = ended.kind === "ended" ? "" : ` (${ended.message})`;
  const made = rules.delivers === "test" ? "test" : "patch";
  if (best === undefined) {
    const reason = `No ${made} was written${why}.`;
    const programs = await reportPrograms(context, state);
    const findings = { ...describeWork(context, state, undefined, { outcomes: [], hunks: [] }), ...programs };
    return { ...endWithout(reason), findings, limited: isLimit(ended), state };
  }
  const others = taken === undefined ? listContenders(state, best, unchanged) : [];
  const first = await judgeFirst(context, state, [best, ...others]);
  const { candidate, gate: judged, row, open = [], strength } = first;
  const { trees, base } = context.workspace;
  const leftOut = tellLeftOut(
    context.suite,
    (await trees.list(base)).map(({ path }) => path),
  );
  const gate = judged.map((predicate) => withLeftOut(predicate, leftOut));
  const hunks = spansAfter(await trees.diff(base, candidate.tree));
  const worked = describeWork(context, state, candidate, { outcomes: row?.outcomes ?? [], hunks });
  const programs = await reportPrograms(context, state, candidate);
  const left = open.length === 0 ? [] : leftToUser(state);
  const findings = { ...worked, ...programs, remarks: [...left, ...worked.remarks] };
  const holds = gateHolds(gate);
  const verified = holds && context.confirms !== false;
  const patches = state.candidates.filter(({ kind }) => kind === rules.delivers).length;
  return {
    outcome: verified ? "verified" : "unverified",
    reason: holds
      ? `${rules.verified}${verified ? "" : unconfirmed}`
      : `${ending?.form === "unverifiable" ? `According to the agent, no test can show the change: ${withStop(ending.reason)} ${tellReview(state, candidate)} ` : ""}The ${patches === 1 ? made : `best of ${countOf(patches, made)}`} is not verified: ${tellUnmet(gate, toldWhole(state))}${why}.${tellSeen(state, candidate, gate)}`,
    limited: !holds && isLimit(ended),
    candidate,
    ...testsOf(context.suite),
    gate,
    ...(strength === undefined ? {} : { strength }),
    candidates: patches,
    findings,
    state,
  };
}

/** Names predicates whose evidence the reason repeats. */
function toldWhole(state: TaskState): readonly string[] {
  const ofPrograms = countedPrograms(state).length === 0 ? [] : ["failing-tests-fail-on-base", programsPass];
  return [testsCanBeRun, confirmedAfresh, evidenceSuffices, nothingLeftOpen, ...ofPrograms];
}

/** Chooses the best candidate, and adds or removes hunks of the given attempt by the test results. */
async function chooseLast(context: VerdictContext, reached: TaskState) {
  const state = await measureNewest(context, reached);
  const chosen = await chooseFinal(context, state, rulesOf(context.task.kind).delivers);
  const joined = await joinGiven(context, state, chosen);
  return { ...(await reduceGiven(context, joined.state, joined.best)), chosen };
}

const unconfirmed = " Millwright confirms this candidate only if it becomes the result of the run.";

function testsOf({
  lacks,
  command,
  outcomes,
  isDivided,
}: ActionContext["suite"]): Pick<StrategyEnd, "testCommand" | "baseOutcomes" | "isDivided"> {
  return lacks === undefined ? { testCommand: command, baseOutcomes: outcomes, isDivided } : {};
}

/** Ends the work without a patch, because the agent says that no change is needed. Ignores all patches of the run. */
function concludeUnchanged(
  context: Pick<ActionContext, "suite" | "recorder">,
  state: TaskState,
  evidence: string,
): StrategyEnd {
  const findings = describeWork(context, state, undefined, { outcomes: [], hunks: [] });
  return {
    ...endWithout(`According to the agent, no change is needed: ${withStop(evidence)}`),
    ...testsOf(context.suite),
    findings,
    state,
  };
}

function withStop(text: string): string {
  return text.replace(/\.?$/, ".");
}

function tellReview({ reviews }: Pick<TaskState, "reviews">, { id }: Pick<Candidate, "id">): string {
  const review = reviews.findLast(({ candidate }) => candidate === id);
  return review?.isApproved === true ? "The review approved the change." : "No review approved the change.";
}

/** If a time limit left conditions undecided, lists the conditions that hold, and the review's result. Otherwise "". */
export function tellSeen(
  state: Pick<TaskState, "reviews">,
  candidate: Pick<Candidate, "id">,
  gate: readonly Predicate[],
): string {
  if (!gate.some(({ isCut }) => isCut === true)) return "";
  const seen = gate.filter(({ holds }) => holds).map(({ predicate }) => predicate);
  const held =
    seen.length === 0 ? "No measured condition holds." : `These conditions hold: ${seen.join(", ")}.`;
  return ` ${held} ${tellReview(state, candidate)}`;
}

/**
 * Adds the omitted test files to the evidence of `no-test-breaks`, because the predicate covers only tests that run.
 */
function withLeftOut(predicate: Predicate, leftOut: string): Predicate {
  const { predicate: name, evidence } = predicate;
  return leftOut === "" || name !== "no-test-breaks"
    ? predicate
    : { ...predicate, evidence: `${evidence}. ${leftOut}` };
}

/** Returns advice for the user in case no work of the run can make the gate hold. Empty if the run wrote no tests. */
function leftToUser({ candidates }: TaskState): string[] {
  if (!candidates.some(({ kind }) => kind === "reproduction")) return [];
  return [
    "Only tests of this run show that the patch works. Read them in tests.diff in the run's folder. Apply and commit the correct tests, or add your own test. A new run on the repository can then end verified.",
  ];
}

/** Maximum candidates to judge in addition to the best, because each costs a run of all tests. */
const mostContenders = 2;

/**
 * Lists `chosen` if Millwright changed its hunks to get the best candidate, because a review may have answered questions
 * about it. Then lists candidates that pass at least as many main tests as the best, and that were not checked for
 * broken tests yet: at most `mostContenders`, the newest first.
 */
export function listContenders(
  state: TaskState,
  best: Candidate,
  chosen: Candidate | undefined,
): Candidate[] {
  const passing = rowOf(state, best.id)?.score[0] ?? 0;
  const isOpen = ({ id, kind }: Candidate): boolean => {
    const row = id === best.id || kind !== best.kind ? undefined : rowOf(state, id);
    return row?.broken === undefined && row?.invalid === undefined && (row?.score[0] ?? -1) >= passing;
  };
  const open = state.candidates.filter(isOpen).reverse().slice(0, mostContenders);
  return chosen === undefined || chosen.id === best.id
    ? open
    : [chosen, ...open.filter(({ id }) => id !== chosen.id)];
}

interface Judged extends Judgement {
  readonly candidate: Candidate;
}

/** Returns the first candidate whose gate holds, or else the very first. */
async function judgeFirst(
  context: VerdictContext,
  state: TaskState,
  [best, ...others]: readonly [Candidate, ...Candidate[]],
): Promise<Judged> {
  const first = { candidate: best, ...(await judgeFinally(context, state, best)) };
  if (gateHolds(first.gate)) return first;
  for (const candidate of others) {
    const judged = await judgeFinally(context, state, candidate);
    if (gateHolds(judged.gate)) return { candidate, ...judged };
  }
  return first;
}

/** Returns the end of a strategy without a candidate, for example if the strategy could not start. */
export function endWithout(reason: string): StrategyEnd {
  return {
    outcome: "none",
    reason,
    limited: false,
    gate: [],
    candidates: 0,
    findings: noFindings,
  };
}

function isLimit(ended: ThinkEnd<true>): boolean {
  return ended.kind === "stopped" && (ended.because === "limit" || ended.because === "steps");
}

/** The chosen candidate's test results and changed places. */
interface Shown {
  readonly outcomes: readonly TestOutcome[];
  readonly hunks: readonly Span[];
}

function describeWork(
  { recorder, suite }: Pick<ActionContext, "suite" | "recorder">,
  state: TaskState,
  candidate: Candidate | undefined,
  judged: Shown,
): Findings {
  // Some may have been dropped since.
  const shown = new Set((state.fault?.targets ?? []).map(formatTestKey));
  const failingTests = (state.fault?.baseRuns[0] ?? [])
    .filter(({ key }) => shown.has(formatTestKey(key)))
    .map(describeFailure);
  const onTheWay = recorder.events.flatMap((event) => {
    if (event.event === "action-skipped") return [`Left out: ${event.action}, because ${event.why}.`];
    return event.event === "work-stuck" && !event.isHeld ? [`The work was stuck: ${event.sign}.`] : [];
  });
  const ofTests = suite.remarks.map((remark) => `About the tests: ${remark}`);
  const remarks = [...ofTests, ...remarksOf(state, candidate, judged), ...new Set(onTheWay)];
  return { ...noFindings, change: candidate?.origin ?? "", failingTests, remarks };
}

/** Notes for a reviewer about the chosen candidate and the abandoned ones. */
function remarksOf(state: TaskState, candidate: Candidate | undefined, { outcomes, hunks }: Shown): string[] {
  const review = state.reviews.findLast((each) => each.candidate === candidate?.id);
  const found = (review?.findings ?? []).filter(({ weight }) => weight !== "note");
  return [
    ...leftOpenOf(state, candidate?.id).map((part) => `Left open, according to the agent: ${part}`),
    ...(candidate === undefined ? [] : openRequirements(state, outcomes, hunks)),
    ...found.map(({ check, weight, text }) => `Review, ${weight} (${check}): ${text}`),
    ...state.assumptions.map((text) => `Assumed: ${text}`),
    ...state.refuted.map(({ note }) => `Tried and abandoned: ${note}`),
  ];
}
