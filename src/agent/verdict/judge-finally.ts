/**
 * Gives the final judgement of any chosen candidate. Evaluates the gate of its kind, and confirms the result if the
 * gate holds.
 */
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext, VerdictContext } from "../action.ts";
import { settleBase } from "../candidates/settle-base.ts";
import { readChange } from "../code/change.ts";
import type { Judgement } from "../kinds/contract.ts";
import { gateHolds } from "../kinds/repair-gate.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { forJudgement } from "../record/limits.ts";
import { type ThreadContext, warmJudge } from "../review/judges/judge-threads.ts";
import { listUnshownParts } from "../review/judges/unshown-parts.ts";
import { treesOfTests } from "../review/statement/shown-literals.ts";
import { sharesValue } from "../review/statement/stated-values.ts";
import { readOwnTests } from "../review/texts/own-tests.ts";
import { formOfPatch } from "../review/texts/patch-form.ts";
import { judgeLeftOpen } from "../state/left-open.ts";
import type { TaskState } from "../state/task-state.ts";
import { confirm } from "./confirm.ts";
import { findPointRepair } from "./find-point-repair.ts";
import { confirmedAfresh } from "./judge-confirmation.ts";
import { withExamples } from "./judge-examples.ts";
import { withPoint } from "./judge-point-repair.ts";
import { judgePrograms, withPrograms } from "./judge-programs.ts";
import { judgeStatically, judgeUnverifiable, testsCanBeRun } from "./judge-statically.ts";
import { withUnread } from "./judge-unread.ts";
import { reviewOf } from "./review-of.ts";
import { runExamples } from "./run-examples.ts";
import { runWithoutUnread } from "./run-without-unread.ts";
import { judgeObjections } from "./standing-objection.ts";
import { judgeParts } from "./stated-parts.ts";
import { type Evidence, weighEvidence } from "./strength.ts";
import { judgeTwins } from "./twins.ts";

export async function judgeFinally(
  given: VerdictContext,
  reached: TaskState,
  candidate: Candidate,
): Promise<Judgement> {
  const context = forJudgement(given);
  const state = await settleBase(context, reached);
  const { lacks } = context.suite;
  if (lacks !== undefined) {
    const programs = await judgePrograms(context, state, candidate);
    const gate = [
      ...withPrograms(await judgeStatically(context, candidate, lacks), programs.ran),
      await judgeObjections(context, candidate, [], state),
      ...judgeLeftOpen(state, candidate),
      ...programs.failing,
    ];
    return { gate, row: undefined, open: [testsCanBeRun] };
  }
  warmJudge();
  const { judge, claim } = rulesOf(context.task.kind);
  const judged = await judge(context, state, candidate);
  const claimed = gateHolds(judged.gate) ? await claim(context, state, candidate, judged.row) : undefined;
  const tests = claimed?.tests ?? state.fault?.targets ?? [];
  const objections = await judgeObjections(context, candidate, tests, state);
  const programs = await judgePrograms(context, state, candidate);
  const { ending } = state;
  const isUntestable = ending?.form === "unverifiable" && ending.candidate === candidate.id;
  const seen = isUntestable ? await judgeUnverifiable(context, candidate) : [];
  const before = [
    ...withPrograms(judged.gate, tests.length > 0 ? [] : programs.ran),
    ...seen,
    objections,
    ...judgeLeftOpen(state, candidate),
    ...programs.failing,
  ];
  if (!gateHolds(before) || context.confirms === false) return { ...judged, gate: before };
  const examples = await runExamples(context, candidate, tests, async () => context.executor);
  const unread = await runWithoutUnread(context, state, candidate, claimed);
  const point = await findPointRepair(context, candidate, claimed);
  const answered = withPoint(withUnread(withExamples(objections, examples), unread), point);
  const gate = [...judged.gate, answered];
  if (!gateHolds(gate)) return { ...judged, gate };
  const { predicate, hasCanaries, exitCodeDecides, doubts } =
    claimed === undefined ? unconfirmed : await confirm(context, claimed);
  const evidence = {
    ...(await evidenceOf(context, state, candidate, { judged, tests, held: examples.held })),
    doubts: [...examples.doubts, ...point.doubts, ...doubts],
    isConfirmed: predicate.holds,
    hasCanaries,
    exitCodeDecides,
  };
  const weighed = weighEvidence(evidence);
  const last = predicate.holds ? [predicate, weighed.predicate] : [predicate];
  return { ...judged, gate: [...gate, ...last], strength: weighed.strength };
}

/** The result for a candidate whose gate holds, but without a test to rerun. */
const unconfirmed = {
  predicate: {
    predicate: confirmedAfresh,
    holds: false,
    evidence: "no test can be rerun in a fresh sandbox",
  },
  hasCanaries: false,
  exitCodeDecides: false,
  doubts: [],
} as const;

interface Deciding {
  readonly judged: Judgement;
  readonly tests: readonly TestKey[];
  /** Number of examples with the shown result. */
  readonly held: number;
}

/** Returns the evidence of a run with a model, in addition to the gate. */
async function evidenceOf(
  context: ThreadContext & Pick<ActionContext, "task">,
  state: TaskState,
  candidate: Candidate,
  { judged: { wrong = [], mutants: own, inferred }, tests, held }: Deciding,
): Promise<Omit<Evidence, "isConfirmed" | "hasCanaries" | "exitCodeDecides" | "doubts">> {
  const { task, regions, workspace } = context;
  const { reviews, fault } = state;
  const { id, tree } = candidate;
  const { files } = await readChange(workspace.trees, regions, workspace.base, tree);
  const review = await reviewOf(workspace, candidate, state);
  const { answered } = await judgeTwins(context, candidate, review);
  const unshown = await listUnshownParts(context, state, candidate, tests);
  const findings = reviews.findLast(({ candidate }) => candidate === id)?.findings ?? [];
  // A review runs all tests that reach the lines, the gate only the new ones.
  const mutants = findings.findLast((each) => each.mutants !== undefined)?.mutants ?? own;
  const doubts = [
    ...(fault?.reason.doubt === undefined ? [] : [fault.reason.doubt]),
    ...wrong.map(
      ({ key }) =>
        `${formatTestKey(key)} passed before and does not count, because the statement calls its assertion wrong`,
    ),
  ];
  return {
    isAsked: task.statement.trim() !== "",
    ...(doubts.length === 0 ? {} : { reasonDoubt: doubts.join("; ") }),
    form: formOfPatch(files),
    // The gates of these kinds measure it.
    ...(measured.has(task.kind) ? { isExecuted: true } : {}),
    ...(mutants === undefined ? {} : { mutants }),
    ...(inferred === undefined ? {} : { inferred }),
    twins: answered,
    parts: unshown.ok ? judgeParts(unshown.value, tests, review).answered : [unshown.message],
    isUnprobed: task.kind === "feature" && mutants?.tried === 0 && held === 0 && review?.isApproved !== true,
    isOwnOpinion:
      stated.has(task.kind) && held === 0 && (await isOwnOpinion(context, state, candidate, tests)),
    isUnfixed:
      task.kind === "regression-test" &&
      !state.candidates.some(({ kind }) => kind === "code") &&
      review?.approvesTests !== true &&
      (await isOwnOpinion(context, state, candidate, tests)),
  };
}

/** Kinds that deliver code for a statement. */
const stated: ReadonlySet<string> = new Set(["repair", "partial-fix", "feature"]);

async function isOwnOpinion(
  { task, workspace }: Pick<ActionContext, "task" | "workspace">,
  { candidates }: TaskState,
  { tree }: Candidate,
  tests: readonly TestKey[],
): Promise<boolean> {
  const { trees, base } = workspace;
  const [, ...written] = treesOfTests(workspace, candidates);
  const own = await readOwnTests(trees, base, [tree, ...written], tests);
  return own.length > 0 && own.every(({ isOfBase }) => !isOfBase) && !sharesValue(task.statement, own);
}

const measured: ReadonlySet<string> = new Set(["feature", "code-generation", "test-generation"]);
