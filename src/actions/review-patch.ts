import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code/code-tools.ts";
import { severalCalls } from "../agent/code/tool-roles.ts";
import { runBattery } from "../agent/review/battery.ts";
import { concludeReview } from "../agent/review/conclude-review.ts";
import { droppableOf, measureReviewed } from "../agent/review/measure-reviewed.ts";
import { openReview } from "../agent/review/opening.ts";
import { tryTestsTool } from "../agent/review/try-tests.ts";
import { type ReviewWork, verdictTool } from "../agent/review/verdict.ts";
import { findCandidate, hasPatch } from "../agent/state/task-state.ts";
import { think } from "../agent/think/think.ts";
import { taskKindSchema } from "../domain/task.ts";

const system = `You review a patch that somebody wrote for a statement, and the tests that are to show it. You change neither.
Where the result of the task is tests, the patch is these tests: judge whether they ask what the statement says, and fail where the code does something else.
You are given what was measured. What is refuted was measured to be wrong. A doubt is a sign that has to be looked at: find out whether it matters here.
Judge the patch: does it mend the cause for every input that the statement speaks of, and for those that follow from it (empty, missing, repeated, the boundaries), or only for what a test shows? Does it change what should stay? Judge the tests: do they ask what the statement says, and would they fail for another wrong patch?
Look at the code where you need it. Where a boundary is in question, or no test notices a mutant, write a few tests of it with \`try-tests\`: they are run without and with the patch. When you have read what they say, call \`verdict\`: who reads it knows nothing of what you saw, so say what decides. ${severalCalls}`;

export default defineAction({
  name: "review-patch",
  description:
    "Looks for signs that a candidate fits its tests and not the statement (held-back tests, mutants of the changed lines, values copied from tests, edited tests), then has it judged together with the tests that show it; may add tests, and drop one that was written in this run and is wrong itself. Take it once the tests that show the fault pass, or all but such a one.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1, or t1 where tests are the result") }),
  kinds: taskKindSchema.options,
  effect: "writes",
  isUseful: hasPatch,
  reads: ["candidates", "fault", "rows", "codePlaces", "testPlaces"],
  writes: ["reviews", "candidates", "fault", "rows", "assumptions"],
  async run(context, state, { candidate: id }) {
    const candidate = findCandidate(state, id);
    if (candidate === undefined || candidate.kind === "reproduction")
      return { state, text: `There is no patch ${id}.`, isError: true };
    const measured = await measureReviewed(context, state, candidate);
    const review = await runBattery(context, measured, candidate);
    await context.view.lay(candidate.tree);
    const work: ReviewWork = { state: measured, candidate, broken: [], unmet: [], mutants: undefined };
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
    return concludeReview(work, review, { verdict, unanswered });
  },
});
