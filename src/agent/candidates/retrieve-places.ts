/**
 * The common part of the actions `code-retrieval` and `test-retrieval`: a model reads the repository to find places in
 * it.
 */
import { z } from "zod";
import type { ActionContext } from "../action.ts";
import { toolsOver } from "../code/code-tools.ts";
import { listNearTests, renderLikely } from "../code/likely-places.ts";
import { foldStandardFrames } from "../code/stack-frames.ts";
import { renderState } from "../state/render-state.ts";
import type { Place, TaskState } from "../state/task-state.ts";
import { type ThinkEnd, type ThinkTool, think } from "../think/think.ts";
import { describeGiven, findGiven } from "./given-attempt.ts";
import { targetSection } from "./target-text.ts";

const placeSchema = z.object({
  file: z.string(),
  startLine: z.int().min(1),
  endLine: z.int().min(1),
  why: z.string().describe("the behaviour that this code decides, in one sentence"),
});
const foundSchema = z.object({
  places: z.array(placeSchema).max(12),
  answer: z.string().describe("the answer in a few sentences, with names and places"),
  tests: z
    .array(z.string())
    .max(6)
    .default([])
    .describe("tests of this behaviour that you saw, each as FILE:START-END"),
});
export type FoundPlaces = z.infer<typeof foundSchema>;

export interface PlaceSearch {
  readonly role: "code-retrieval" | "test-retrieval";
  readonly system: string;
  readonly intent: string;
}

const mostSteps = 20;
/** Token budget for code that no model has read yet. A model need not search for code that it sees. */
const likelyTokens = 2_000;

/** Lets the retrieval model search the base for places. Changes no files and no state. */
export async function retrievePlaces(
  context: Pick<
    ActionContext,
    | "models"
    | "view"
    | "likely"
    | "advise"
    | "task"
    | "workspace"
    | "recorder"
    | "limits"
    | "decoding"
    | "signal"
  >,
  state: TaskState,
  { role, system, intent }: PlaceSearch,
): Promise<ThinkEnd<FoundPlaces>> {
  await context.view.lay(context.workspace.base);
  const given = findGiven(state);
  const isOpen = context.likely !== undefined && state.codePlaces.length === 0;
  const likely = isOpen ? await renderLikely(context, context.likely, likelyTokens) : "";
  const known = renderState(state);
  const near = isOpen ? listNearTests(context.likely) : "";
  const report: ThinkTool<FoundPlaces> = {
    name: "report",
    description: "Ends the search with a report.",
    // A search for tests reports the tests as places.
    input: role === "test-retrieval" ? foundSchema.omit({ tests: true }) : foundSchema,
    run: async (input) => ({ text: "Reported.", end: foundSchema.parse(input) }),
  };
  return think(context, {
    role: "retrieval",
    system,
    opening: [
      `# The statement\n\n${foldStandardFrames(context.task.statement)}`,
      ...(await targetSection(context)),
      ...(known === "" ? [] : [`# Known so far\n\n${known}`]),
      ...(likely === "" ? [] : [`# Likely places\n\n${[likely, near].filter(Boolean).join("\n\n")}`]),
      ...(given === undefined || role === "test-retrieval"
        ? []
        : [`# The attempt\n\n${await describeGiven(context, given)}`]),
      `# Find\n\n${intent}`,
    ].join("\n\n"),
    tools: [...toolsOver(context, role), report],
    maxSteps: mostSteps,
  });
}

/**
 * Parses the tests that the search reports, such as `tests/test_a.py:12-30`, into places. Omits entries without lines.
 */
export function seenTests({ tests }: FoundPlaces): Place[] {
  return tests.flatMap((test) => {
    const [, file, start, end = start] = /^(.+?):(\d+)(?:-(\d+))?$/.exec(test) ?? [];
    if (file === undefined) return [];
    return [{ file, startLine: Number(start), endLine: Number(end), why: "tests of this code" }];
  });
}

/**
 * Merges places, new ones first. Omits a place that begins at the same line as an earlier one, or that lies inside an
 * earlier one.
 */
export function mergePlaces(places: readonly Place[], known: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const place of [...places, ...known])
    if (!kept.some((each) => isRepeated(place, each))) kept.push(place);
  return kept;
}

function isRepeated(place: Place, earlier: Place): boolean {
  if (place.file !== earlier.file) return false;
  const isInside = place.startLine >= earlier.startLine && place.endLine <= earlier.endLine;
  return isInside || place.startLine === earlier.startLine;
}

export function describeFound({ answer, places }: FoundPlaces): string {
  const listed = places.map(
    ({ file, startLine, endLine, why }) => `- ${file}:${startLine}-${endLine}: ${why}`,
  );
  return [answer, ...listed].join("\n");
}
