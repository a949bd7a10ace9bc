/**
 * The actions of USEagent's Table 2. Retrieval, edits and reproduction are the same as in other strategies. Three
 * actions follow the paper. `execute-tests` runs the named files on the named candidates. `review-patch` runs the
 * reproduction and asks a reviewer, and measures nothing else. `finish` names the solution and ends the run.
 */
import { z } from "zod";
import codeRetrieval from "../../actions/code-retrieval.ts";
import editCode from "../../actions/edit-code.ts";
import reproduction from "../../actions/reproduction.ts";
import testRetrieval from "../../actions/test-retrieval.ts";
import { type Action, type ActionEnd, defineAction, type RunContext } from "../../agent/action.ts";
import { rowOfSet } from "../../agent/candidates/measure-set.ts";
import { toolsOver } from "../../agent/code/code-tools.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { measureCandidate, runOn } from "../../agent/measure/run-candidate.ts";
import { concludeReview } from "../../agent/review/reviewer/conclude-review.ts";
import { openReview } from "../../agent/review/reviewer/opening.ts";
import { type ReviewWork, verdictTool } from "../../agent/review/reviewer/verdict.ts";
import { renderFailures } from "../../agent/state/render-state.ts";
import { findCandidate, hasPatch, type TaskState } from "../../agent/state/task-state.ts";
import { think } from "../../agent/think/think.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import { publishedReviewerPrompt } from "./as-published.prompt.ts";

const every = taskKindSchema.options;

const executeTests = defineAction({
  name: "execute-tests",
  description: "Runs test files on the base with the named candidates applied, and reports the results.",
  input: z.object({
    files: z.array(z.string().min(1)).min(1).describe("files of tests, such as tests/test_cart.py"),
    candidates: z
      .array(z.string().min(1))
      .default([])
      .describe("such as [c1, r1]; empty: the unchanged base"),
  }),
  kinds: every,
  needsTests: true,
  effect: "runs",
  reads: ["candidates", "testPlaces"],
  writes: ["rows"],
  run: (context, state, { files, candidates }) => runFiles(context, state, files, candidates),
});

async function runFiles(
  context: RunContext,
  state: TaskState,
  files: readonly string[],
  ids: readonly string[],
): Promise<ActionEnd> {
  const { trees, base } = context.workspace;
  const unknown = ids.filter((id) => findCandidate(state, id) === undefined);
  if (unknown.length > 0)
    return { state, text: `There is no candidate ${unknown.join(", ")}.`, isError: true };
  const whole = ids.flatMap((id) => {
    const { parent: _, ...each } = findCandidate(state, id) ?? {};
    return "tree" in each ? [each] : [];
  });
  const laid = await trees.compose(base, whole, () => base);
  if (!laid.ok)
    return { state, text: `The candidates cannot be applied together: ${laid.message}`, isError: true };
  const ran = await runOn(context, laid.value, { kind: "files", files });
  const { outcomes, invalid } = ran;
  const row = rowOfSet(state, ids, context.suite, { outcomes, invalid, isAll: false });
  const failures = renderFailures(outcomes.filter(({ status }) => isFailing(status)));
  return {
    state: { ...state, rows: [...state.rows, row] },
    text: [`${row.candidate}: ${row.told}.`, ...failures].join("\n\n"),
    isError: invalid !== undefined,
  };
}

const reviewPatch = defineAction({
  name: "review-patch",
  description:
    "Runs the reproduction on a candidate. A reviewer then judges whether both are correct, and describes necessary changes.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1") }),
  kinds: every,
  effect: "writes",
  isUseful: hasPatch,
  reads: ["candidates", "fault", "rows"],
  writes: ["reviews", "rows"],
  async run(context, before, { candidate: id }) {
    const candidate = findCandidate(before, id);
    if (candidate === undefined || candidate.kind === "reproduction")
      return { state: before, text: `There is no patch ${id}.`, isError: true };
    const isShown = candidate.kind === "code" && (before.fault?.targets ?? []).length > 0;
    const row = isShown ? await measureCandidate(context, before, candidate, "targets") : undefined;
    const state = row?.ok === true ? { ...before, rows: [...before.rows, row.value] } : before;
    await context.view.lay(candidate.tree);
    const work: ReviewWork = {
      state,
      candidate,
      broken: [],
      unmet: [],
      mutants: undefined,
      twins: [],
      parts: [],
    };
    const review = { candidate: id, findings: [] };
    const ended = await think(context, {
      role: "review",
      system: publishedReviewerPrompt,
      opening: await openReview(context, state, candidate, { review, droppable: [] }),
      tools: [...toolsOver(context, "review"), verdictTool(context, work, [])],
      maxSteps: 14,
    });
    const verdict = ended.kind === "ended" ? ended.value : undefined;
    const unanswered = ended.kind === "stopped" ? ended.message : "";
    return concludeReview(work, review, { verdict, unanswered });
  },
});

const finish = defineAction({
  name: "finish",
  description: "Ends the run with the named candidate as the solution.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1, or t1 if the task delivers tests") }),
  kinds: every,
  effect: "decides",
  isUseful: hasPatch,
  reads: ["candidates"],
  writes: [],
  async run({ task }, state, { candidate: id }) {
    const candidate = findCandidate(state, id);
    return candidate?.kind === rulesOf(task.kind).delivers
      ? { state, text: `The solution is ${id}.`, isEnd: true }
      : { state, text: `${id} is not a candidate that can be delivered.`, isError: true };
  },
});

export const publishedActions: readonly Action[] = [
  ...[codeRetrieval, testRetrieval, reproduction, executeTests, editCode, reviewPatch, finish],
];
