import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code/code-tools.ts";
import { severalCalls } from "../agent/code/tool-roles.ts";
import { runBattery } from "../agent/review/battery.ts";
import { concludeReview } from "../agent/review/conclude-review.ts";
import { droppableOf, measureReviewed } from "../agent/review/measure-reviewed.ts";
import { openReview } from "../agent/review/opening.ts";
import { tryTestsTool } from "../agent/review/try-tests.ts";
import { twinsOf } from "../agent/review/unchanged-twins.ts";
import { type ReviewWork, verdictTool } from "../agent/review/verdict.ts";
import { findCandidate, hasPatch } from "../agent/state/task-state.ts";
import { think } from "../agent/think/think.ts";
import { taskKindSchema } from "../domain/task.ts";

const system = `You review a patch for a statement, and the tests that should show it. You change neither.
If the task delivers tests, the patch consists of these tests: judge whether they check what the statement says, and fail on code that does something else.
You are given measurements. A finding is "refuted" if a measurement shows that the patch is wrong. A "doubt" is a sign to look at: find out whether it matters here.
Judge the patch. Does it fix the cause for every input in the statement, and for those that follow from it (empty, missing, repeated, the boundaries), or only for the inputs that a test shows? Does it change behaviour that should stay? Judge the tests. Do they check what the statement says, and would they fail on another wrong patch?
Read the code where you need it. If a boundary is in question, or no test notices a mutant, write a few tests of it with \`try-tests\`: they run without and with the patch. When you know their results, call \`verdict\`. Its readers know nothing of what you saw, so say what decides. ${severalCalls}`;

export default defineAction({
  name: "review-patch",
  description:
    "Looks for signs that a candidate fits its tests and not the statement (held-back tests, mutants of the changed lines, values copied from tests, edited tests). A reviewer then judges it together with the tests that show it. The review may add tests, and drop one that this run wrote and that is wrong itself. Use it once the tests that show the fault pass, except such a wrong one.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1, or t1 if the task delivers tests") }),
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
    const twins = await twinsOf(context, candidate);
    const work: ReviewWork = { state: measured, candidate, broken: [], unmet: [], mutants: undefined, twins };
    const droppable = droppableOf(context, measured, candidate);
    const ended = await think(context, {
      role: "review",
      system,
      opening: await openReview(context, measured, candidate, { review, droppable, twins }),
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
