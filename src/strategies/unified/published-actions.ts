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
import { type Action, defineAction } from "../../agent/action.ts";
import { chosenFields, isChosen, runChosen } from "../../agent/candidates/run-chosen.ts";
import { toolsOver } from "../../agent/code/code-tools.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { measureCandidate } from "../../agent/measure/run-candidate.ts";
import { concludeReview } from "../../agent/review/reviewer/conclude-review.ts";
import { openReview } from "../../agent/review/reviewer/opening.ts";
import { type ReviewWork, verdictTool } from "../../agent/review/reviewer/verdict.ts";
import { findCandidate, hasPatch } from "../../agent/state/task-state.ts";
import { think } from "../../agent/think/think.ts";
import { taskKindSchema } from "../../domain/task.ts";
import { publishedReviewerPrompt } from "./as-published.prompt.ts";

const every = taskKindSchema.options;

const executeTests = defineAction({
  name: "execute-tests",
  description:
    "Runs test files, tests or a command on the base with the named candidates applied, and reports the results.",
  input: z.object({
    ...chosenFields,
    candidates: z
      .array(z.string().min(1))
      .default([])
      .describe("such as [c1, r1]; empty: the unchanged base"),
  }),
  example: { files: ["tests/test_cart.py"], candidates: ["c1", "r1"] },
  kinds: every,
  needsTests: true,
  effect: "runs",
  reads: ["candidates", "testPlaces"],
  writes: ["rows"],
  async run(context, state, { candidates, ...chosen }) {
    if (!isChosen(chosen)) return { state, text: "Name files, tests or a command.", isError: true };
    const ran = await runChosen(context, state, candidates, chosen);
    if (!ran.ok) return { state, text: ran.message, isError: true };
    const { rows, text } = ran.value;
    const isError = rows.some(({ invalid }) => invalid !== undefined);
    return { state: { ...state, rows: [...state.rows, ...rows] }, text, isError };
  },
});

const reviewPatch = defineAction({
  name: "review-patch",
  description:
    "Runs the reproduction on a candidate. A reviewer then judges whether both are correct, and describes necessary changes.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1") }),
  example: { candidate: "c1" },
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
  example: { candidate: "c1" },
  kinds: every,
  effect: "decides",
  isUseful: hasPatch,
  reads: ["candidates"],
  writes: [],
  async run({ task }, state, { candidate: id }) {
    const candidate = findCandidate(state, id);
    return candidate?.kind === rulesOf(task.kind).delivers
      ? { state, text: `The solution is ${id}.`, isEnd: true }
      : { state, text: `There is no candidate "${id}" that this task can deliver.`, isError: true };
  },
});

export const publishedActions: readonly Action[] = [
  ...[codeRetrieval, testRetrieval, reproduction, executeTests, editCode, reviewPatch, finish],
];
