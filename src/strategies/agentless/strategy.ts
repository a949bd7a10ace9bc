/**
 * Agentless (Xia et al., FSE 2025), like its version 1.5. It has localisation on three levels, many samples of a patch,
 * regression and reproduction tests, and a majority vote. No model chooses the next step.
 *
 * Departures, each also marked in its place:
 * - Every language of the graph, not only Python: skeletons, retrieval and normal forms come from the grammars.
 * - Answers that are lists are structured output, not text between fences.
 * - Without a configured model for embeddings, the graph's own retrieval finds files in the remaining folders.
 * - Reproductions are tests in the repository's own framework. They count if they fail on the base, and if Millwright's
 *   comparison finds that the statement describes this failure. The original uses a script that prints "Issue
 *   reproduced". If tests of the repository already show the fault, Millwright uses them and writes none.
 * - Normal forms also normalise names of local variables. The place of an added function is a part of the function's
 *   form.
 * - Patches with one normal form run once. At a limit, the patches with the most votes have run first.
 * - A given attempt is one more patch in the vote.
 * - The gate judges the chosen patch. A review decides only about places that equal the replaced code.
 */
import reviewPatch from "../../actions/review-patch.ts";
import { runStages } from "../../agent/control/stages.ts";
import { defineStrategy } from "../../agent/strategy.ts";
import { choosePatch, regressionTests } from "./choose-patch.ts";
import { locateEdits } from "./locate-edits.ts";
import { locateFiles } from "./locate-files.ts";
import { numbersOf, sampledTemperature } from "./numbers.ts";
import { reproduce } from "./reproduce.ts";
import { writePatches } from "./write-patches.ts";

export default defineStrategy({
  name: "agentless",
  description:
    "locates the fault on three levels, samples patches, filters them by tests, and takes a majority vote (Agentless)",
  kinds: ["repair", "partial-fix"],
  needsModel: true,
  stages: [
    "locate-files",
    "retrieve-files",
    "locate-elements",
    "locate-edits",
    "write-patches",
    "regression-tests",
    "reproduce",
    "test-patch",
  ],
  sampling: { temperature: sampledTemperature },
  run: (context) =>
    runStages(
      context,
      "locate, sample, filter and vote",
      async (run) => {
        const numbers = numbersOf(context.samples);
        const files = await locateFiles(run);
        const sets = await locateEdits(run, files, numbers.locations);
        await writePatches(run, sets, numbers);
        const kept = await regressionTests(run);
        await reproduce(run, files, numbers.reproductions);
        return choosePatch(run, kept);
      },
      reviewPatch,
    ),
});
