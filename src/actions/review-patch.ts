import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code-tools.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { isRefuted, runBattery, sortFindings } from "../agent/review/battery.ts";
import { listDroppable } from "../agent/review/droppable.ts";
import { openReview } from "../agent/review/opening.ts";
import { tryTestsTool } from "../agent/review/try-tests.ts";
import { type Verdict, verdictTool } from "../agent/review/verdict.ts";
import {
  findCandidate,
  type Review,
  type ReviewFinding,
  rowOf,
  type TaskState,
} from "../agent/task-state.ts";
import { think } from "../agent/think.ts";
import type { Candidate } from "../domain/candidate.ts";
import { taskKindSchema } from "../domain/task.ts";
import { formatTestKey, type TestKey } from "../domain/test-outcome.ts";

const system = `You review a patch that somebody wrote for a statement, and the tests that are to show it. You change neither.
Where the result of the task is tests, the patch is these tests: judge whether they ask what the statement says, and fail where the code does something else.
You are given what was measured. What is refuted was measured to be wrong. A doubt is a sign that has to be looked at: find out whether it matters here.
Judge the patch: does it mend the cause for every input that the statement speaks of, and for those that follow from it (empty, missing, repeated, the boundaries), or only for what a test shows? Does it change what should stay? Judge the tests: do they ask what the statement says, and would they fail for another wrong patch?
Look at the code where you need it. Where a boundary is in question, or no test notices a mutant, write a few tests of it with \`try-tests\`: they are run without and with the patch. Then call \`verdict\`.`;

export default defineAction({
  name: "review-patch",
  description:
    "Looks for signs that a candidate fits its tests and not the statement (held-back tests, mutants of the changed lines, values copied from tests, edited tests), then has it judged together with the tests that show it; may add tests. Take it once the tests that show the fault pass, before you finish.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1, or t1 where tests are the result") }),
  kinds: taskKindSchema.options,
  reads: ["candidates", "fault", "rows", "codePlaces", "testPlaces"],
  writes: ["reviews", "candidates", "fault", "rows", "assumptions"],
  async run(context, state, { candidate: id }) {
    const candidate = findCandidate(state, id);
    if (candidate === undefined || candidate.kind === "reproduction")
      return { state, text: `There is no patch ${id}.`, isError: true };
    const measured = await measure(context, state, candidate);
    const review = await runBattery(context, measured, candidate);
    await context.view.lay(candidate.tree);
    const work = { state: measured, candidate, added: [] as string[] };
    const droppable = droppableOf(context, measured, candidate);
    const ended = await think(context, {
      role: "review",
      system,
      opening: await openReview(context, measured, candidate, { review, droppable }),
      tools: [
        ...toolsOver(context, "review"),
        tryTestsTool(context, work),
        verdictTool(context, work, droppable),
      ],
      maxSteps: 14,
    });
    const verdict = ended.kind === "ended" ? ended.value : undefined;
    const unanswered = ended.kind === "stopped" ? ended.message : "";
    return concludeReview(work.state, withVerdict(review, verdict, work.added), verdict, unanswered);
  },
});

/**
 * With a row of the candidate: a review without measured tests would judge by reading alone. Where written tests may be wrong
 * themselves, all tests are run, for one is dropped only after the candidate passes every other.
 */
async function measure(context: ActionContext, state: TaskState, candidate: Candidate): Promise<TaskState> {
  const rules = rulesOf(context.task.kind);
  const rowed = await (rowOf(state, candidate.id) === undefined ? add("targets", state) : state);
  const { broken } = rowOf(rowed, candidate.id) ?? {};
  return droppableOf(context, rowed, candidate).length > 0 && broken === undefined
    ? add("all", rowed)
    : rowed;

  async function add(scope: "targets" | "all", to: TaskState): Promise<TaskState> {
    const row = await rules.measure(context, to, candidate, scope);
    return row.ok ? { ...to, rows: [...to.rows, row.value] } : to;
  }
}

function droppableOf({ suite }: ActionContext, state: TaskState, { id }: Candidate): readonly TestKey[] {
  const row = rowOf(state, id);
  const own = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  return row === undefined ? [] : listDroppable(state, row, own);
}

function withVerdict(review: Review, verdict: Verdict | undefined, added: readonly string[]): Review {
  const dropped = verdict?.drop ?? [];
  // What a test found that is dropped counts no more.
  const isVoid = ({ check, text }: ReviewFinding): boolean =>
    check === "held-back-tests" && dropped.some(({ test }) => text.includes(test));
  const findings: ReviewFinding[] = review.findings.filter((finding) => !isVoid(finding));
  for (const text of added) findings.push({ check: "added-tests", weight: "doubt", text });
  if (verdict !== undefined) {
    const { patch, tests } = verdict;
    if (!patch.approved) findings.push({ check: "reviewer", weight: "doubt", text: patch.analysis });
    if (!tests.approved)
      findings.push({ check: "reviewer", weight: "doubt", text: `Of the tests: ${tests.analysis}` });
  }
  return { ...review, findings: sortFindings(findings) };
}

/** Short: what is refuted, what is doubted, and what to do next. */
function concludeReview(
  state: TaskState,
  review: Review,
  verdict: Verdict | undefined,
  unanswered: string,
): ActionEnd {
  const { candidate: id, findings } = review;
  const refuted = findings.filter(({ weight }) => weight === "refuted");
  const doubts = findings.filter(({ weight }) => weight === "doubt");
  const head = isRefuted(review)
    ? `${id} is refuted.`
    : verdict === undefined
      ? `${id} is not refuted; nobody judged it (${unanswered}).`
      : `${id} is ${verdict.patch.approved ? "approved" : "not approved"}${doubts.length === 0 ? "" : ", with doubts"}.`;
  const list = (title: string, of: typeof findings): string[] =>
    of.length === 0 ? [] : [[title, ...of.map(({ check, text }) => `- ${check}: ${text}`)].join("\n")];
  const advice = [verdict?.patch.advice ?? "", verdict?.tests.advice ?? ""].filter((text) => text !== "");
  return {
    state: { ...state, reviews: [...state.reviews, review] },
    text: [
      head,
      ...list("Refuted, it was measured:", refuted),
      ...list("Doubts, look whether they matter:", doubts),
      ...(advice.length === 0 ? [] : [`Advice: ${advice.join(" ")}`]),
      nextStep(review, verdict),
    ].join("\n\n"),
  };
}

function nextStep(review: Review, verdict: Verdict | undefined): string {
  if (isRefuted(review))
    return `Next: write another candidate that does what the statement says in general, from ${review.candidate} or from the base.`;
  if (verdict?.patch.approved === false)
    return `Next: change ${review.candidate} as advised, or finish with it if the doubts do not hold.`;
  return `Next: run all tests, and finish with ${review.candidate}.`;
}
