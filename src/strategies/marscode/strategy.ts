/**
 * MarsCode Agent (Liu et al., 2024): a Searcher collects snippets, a Planner chooses between dynamic debugging (the
 * Reproducer once, then Programmer and Tester alternately) and static repair (an Editor that writes several candidates
 * at once, and a vote). Each role has its own tools.
 *
 * Departures, each also marked in its place:
 * - The Searcher is the action code-retrieval, and the Reproducer is the action reproduction. The tests are in the
 *   repository's own framework, and Millwright computes whether the statement reports a test's failure. If tests of the
 *   repository already show the fault, Millwright uses them.
 * - The Planner and the votes answer with structured output.
 * - If the Planner chooses dynamic debugging but nothing shows the fault, the repair is static.
 * - Unpublished numbers are ours: five rounds of Programmer and Tester, four candidates of the Editor.
 * - The diagnostics of `src/edit` replace the paper's: Millwright refuses edits that do not parse.
 * - The gate judges the chosen patch. Without a choice, the matrix selects the best patch. A review decides only about
 *   places that equal the replaced code.
 */
import codeRetrieval from "../../actions/code-retrieval.ts";
import reproduction from "../../actions/reproduction.ts";
import reviewPatch from "../../actions/review-patch.ts";
import { performNamed, runStages } from "../../agent/control/stages.ts";
import { defineStrategy } from "../../agent/strategy.ts";
import { repairByReading } from "./edit.ts";
import { planRepair } from "./plan.ts";
import { debug } from "./program.ts";

export default defineStrategy({
  name: "marscode",
  description:
    "divides the work among roles with their own tools; debugs dynamically, or votes on several static repairs (MarsCode Agent)",
  kinds: ["repair", "partial-fix"],
  needsModel: true,
  stages: ["plan", "program", "test", "edit", "vote"],
  run: (context) =>
    runStages(
      context,
      "search, plan, and repair",
      async (run) => {
        await performNamed(run, codeRetrieval, {
          intent: "the code that must be changed or read for the statement",
        });
        const mode = await planRepair(run);
        if (mode === "dynamic" && run.work.state.fault === undefined)
          await performNamed(run, reproduction, { intent: "the fault that the statement reports" });
        const canDebug = mode === "dynamic" && run.work.state.fault !== undefined;
        return canDebug ? debug(run) : repairByReading(run);
      },
      reviewPatch,
    ),
});
