/**
 * AutoCodeRover (Zhang et al., ISSTA 2024), like its version 2 (with SpecRover, Ruan et al., ICSE 2025). It has a
 * reproducer, stratified search with a search API, and locations with intended behaviour. A patch has up to three
 * tries, and a review loop judges patch and test.
 *
 * Departures, each also marked in its place:
 * - The search API answers from the code graph, in all its languages. A class may be a struct, an interface, a trait or
 *   an enum.
 * - Tool calls and structured output replace the proxy agent that turns text into calls.
 * - Spectrum-based fault localisation uses the repository's own tests and those of this run; the original gets the
 *   hidden tests.
 * - Reproductions are tests in the repository's own framework, or else standalone programs, which verify no patch;
 *   Millwright computes whether the statement reports a test's failure. If tests of the repository already show the fault, Millwright uses them and never rewrites them.
 * - `src/edit` matches and checks edits; the original uses whitespace-stripped lines and a linter.
 * - If the search ends without locations, the suspicious methods or results of retrieval replace them.
 * - Further attempts are other samples of the same model, with a temperature; the original uses several models.
 * - The gate judges the chosen patch. Millwright's own review decides only about places that equal the replaced code.
 *   The strategy ignores a given attempt unless the statement contains it.
 */
import reviewPatch from "../../actions/review-patch.ts";
import { runStages, type StagedRun } from "../../agent/control/stages.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { defineStrategy } from "../../agent/strategy.ts";
import type { ModelSettings } from "../../llm/contract.ts";
import { locateBugs } from "./locate.ts";
import { reviewLoop } from "./review.ts";
import { sampledTemperature, selectPatch, type Validated, validate } from "./select.ts";
import { suspiciousFunctions } from "./suspicious.ts";
import { openTalk, writePatch } from "./write-patch.ts";
import { writeTest } from "./write-test.ts";

/**
 * Number of attempts: without an approved patch that breaks nothing, Millwright repeats everything. `--samples` sets
 * another number.
 */
const attempts = 3;

export default defineStrategy({
  name: "autocoderover",
  description:
    "searches by a code search API, states the intended behaviour of each location, and reviews patch and test (AutoCodeRover)",
  kinds: ["repair", "partial-fix"],
  needsModel: true,
  stages: ["write-test", "rank-methods", "search-code", "write-patch", "review", "validate", "select"],
  sampling: { temperature: sampledTemperature },
  run: (context) =>
    runStages(
      context,
      "search, patch and review",
      async (run) => {
        const tried: Validated[] = [];
        const most = context.samples ?? attempts;
        for (let attempt = 1; attempt <= most && run.stop === undefined; attempt += 1) {
          const made = await attemptOnce(run, attempt);
          if (made !== undefined) tried.push(made);
          if (made?.approved === true && made.breaksNothing) break;
        }
        return selectPatch(run, tried);
      },
      reviewPatch,
    ),
});

async function attemptOnce(run: StagedRun, attempt: number): Promise<Validated | undefined> {
  const { context, work } = run;
  const settings: ModelSettings = attempt === 1 ? {} : { temperature: sampledTemperature, sample: attempt };
  if (!isShown(work.state)) await writeTest(run, { intent: "a test that shows the fault", settings });
  const suspicious = await suspiciousFunctions(run);
  const intent = `buggy locations, attempt ${attempt}`;
  const locations = await locateBugs(run, { suspicious, settings, intent });
  const talk = await openTalk(context, locations, settings);
  const first = await writePatch(run, talk, `the first patch of attempt ${attempt}`);
  if (first === undefined) return undefined;
  // Without a test or a program that shows the fault, a review has no basis.
  const reviewed = isShown(work.state)
    ? await reviewLoop(run, talk, first)
    : { candidate: first, approved: false };
  return (await validate(run, reviewed)) ?? { ...reviewed, breaksNothing: false };
}

function isShown({ fault, programs = [] }: TaskState): boolean {
  return fault !== undefined || programs.length > 0;
}
