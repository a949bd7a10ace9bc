import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code/code-tools.ts";
import { warmJudge } from "../agent/review/judges/judge-threads.ts";
import { listUnshownParts } from "../agent/review/judges/unshown-parts.ts";
import { droppableOf, measureReviewed } from "../agent/review/measured/measure-reviewed.ts";
import { tryTestsTool } from "../agent/review/measured/try-tests.ts";
import { runBattery } from "../agent/review/reviewer/battery.ts";
import { concludeReview } from "../agent/review/reviewer/conclude-review.ts";
import { openReview } from "../agent/review/reviewer/opening.ts";
import { type ReviewWork, verdictTool } from "../agent/review/reviewer/verdict.ts";
import { twinsOf } from "../agent/review/twins/twins-of.ts";
import { findCandidate, hasPatch } from "../agent/state/task-state.ts";
import { think } from "../agent/think/think.ts";
import { taskKindSchema } from "../domain/task.ts";
import { reviewerPrompt } from "./review-patch.prompt.ts";

export default defineAction({
  name: "review-patch",
  description:
    "Checks whether a candidate fits only its tests and not the statement. Runs held-back tests and mutants of the changed lines. Looks for values copied from tests, and for edited tests. Then a reviewer judges the candidate and its tests, and answers the claims of `saysWrong` about tests of the repository. The review may add tests, and drop a wrong test that this run wrote. Use it once the tests that show the fault pass; a wrong test may still fail.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1, or t1 if the task delivers tests") }),
  example: { candidate: "c1" },
  kinds: taskKindSchema.options,
  effect: "writes",
  isUseful: hasPatch,
  reads: ["candidates", "fault", "rows", "codePlaces", "testPlaces"],
  writes: ["reviews", "candidates", "fault", "rows", "assumptions"],
  async run(context, state, { candidate: id }) {
    const candidate = findCandidate(state, id);
    if (candidate === undefined || candidate.kind === "reproduction")
      return { state, text: `There is no patch ${id}.`, isError: true };
    warmJudge();
    const measured = await measureReviewed(context, state, candidate);
    const review = await runBattery(context, measured, candidate);
    await context.view.lay(candidate.tree);
    const found = await twinsOf(context, candidate);
    const twins = found.ok ? found.value : [];
    const targets = measured.fault?.targets ?? [];
    const unshown = await listUnshownParts(context, measured, candidate, targets);
    const parts = unshown.ok ? unshown.value.map(({ text }) => text) : [];
    const work: ReviewWork = {
      ...{ state: measured, candidate, broken: [], unmet: [], mutants: undefined },
      ...{ twins, parts },
    };
    const droppable = droppableOf(context, measured, candidate);
    const ended = await think(context, {
      role: "review",
      system: reviewerPrompt,
      opening: await openReview(context, measured, candidate, { review, droppable, twins, parts }),
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
