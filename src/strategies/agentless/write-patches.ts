/**
 * Samples several patches for each set of places, as SEARCH/REPLACE blocks. Drops a sample if one of its blocks does
 * not match the text, or if its result does not parse.
 */

import { renderSpans, type Span } from "../../agent/code/place-text.ts";
import { applyWrittenEdits } from "../../agent/code/written-edits.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { keepCandidate } from "../../agent/state/keep-candidate.ts";
import { sampleModel } from "../../agent/think/sampling.ts";
import { countOf } from "../../base/count.ts";
import { type Numbers, patchesOfSet, sampledTemperature } from "./numbers.ts";
import { patchPrompt } from "./repair.prompt.ts";

/** Lines before and after each place. */
const around = 10;
const mostLines = 1_000;

export async function writePatches(
  run: StagedRun,
  sets: readonly (readonly Span[])[],
  numbers: Numbers,
): Promise<void> {
  let from = 0;
  for (const [index, places] of sets.entries()) {
    const count = patchesOfSet(numbers, sets.length, index);
    if (count > 0)
      await writeForSet(run, { places, count, from, name: `place set ${index + 1} of ${sets.length}` });
    from += count;
  }
}

interface PlacesSet {
  readonly places: readonly Span[];
  readonly count: number;
  /** Total number of samples of the earlier sets. Gives equal sets different samples. */
  readonly from: number;
  readonly name: string;
}

async function writeForSet(run: StagedRun, { places, count, from, name }: PlacesSet): Promise<void> {
  const { context } = run;
  const { view, workspace, task } = context;
  await view.lay(workspace.base);
  const code = await renderSpans(view, places, { around, numbered: false, mostLines });
  await performStage(run, {
    name: "write-patches",
    intent: `${countOf(count, "patch")} for ${name}`,
    run: async (state) => {
      const { answers, stopped } = await sampleModel(
        context,
        {
          role: "editing",
          system: patchPrompt,
          messages: [{ role: "user", text: `# Statement\n\n${task.statement}\n\n# Code\n\n${code}` }],
        },
        { count, temperature: sampledTemperature, greedyFirst: true, from },
      );
      let next = state;
      let fit = 0;
      for (const [index, { text }] of answers.entries()) {
        const made = await applyWrittenEdits(context, workspace.base, text);
        if (!made.ok) continue;
        fit += 1;
        const origin = `sample ${index + 1} for ${name}`;
        next = keepCandidate(context, next, { tree: made.value, kind: "code", origin }).state;
      }
      return { value: fit === 0 ? undefined : fit, state: next, stopped };
    },
  });
}
