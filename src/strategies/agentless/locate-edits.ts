/**
 * The second and third level of localisation. A model names related elements in skeletons of the files. Then it names
 * the places to edit, in several separate samples.
 */

import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import { renderSpans, type Span } from "../../agent/code/place-text.ts";
import { looseEntries, renderEntry } from "../../agent/code/skeleton.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { askModel, sampleModel } from "../../agent/think/sampling.ts";
import type { TreeView } from "../../agent/views.ts";
import { countOf } from "../../base/count.ts";
import type { Entity } from "../../graph/contract.ts";
import outline from "../../tools/outline.ts";
import { elementsPrompt, placesPrompt } from "./locate.prompt.ts";
import { sampledTemperature } from "./numbers.ts";

const elementsSchema = z.object({
  elements: z
    .array(
      z.object({ file: z.string(), names: z.array(z.string()).describe("such as Cart, Cart.pick or limit") }),
    )
    .describe("classes, functions, methods and variables"),
});
const placesSchema = z.object({
  places: z
    .array(
      z.object({
        file: z.string(),
        startLine: z.int().min(1),
        endLine: z.int().min(1),
      }),
    )
    .describe("lines to edit, by their numbers"),
});

const mostLines = 1_500;
/** Maximum number of groups of top-level lines in a file. */
const mostLoose = 40;
/** Lines shown of a file in which no element was named. */
const longestWhole = 300;

/**
 * Locates places to edit. Returns one set of places for each sample that names places. If no sample names places,
 * returns the related elements as one set.
 */
export async function locateEdits(
  run: StagedRun,
  files: readonly string[],
  count: number,
): Promise<readonly (readonly Span[])[]> {
  const { context } = run;
  const statement = `# Statement\n\n${context.task.statement}`;
  await context.view.lay(context.workspace.base);
  const elements = await performStage(run, {
    name: "locate-elements",
    intent: `related elements in ${files.join(", ")}`,
    run: async () => {
      const { answer, stopped } = await askModel(context, {
        role: "retrieval",
        system: elementsPrompt,
        messages: [
          { role: "user", text: `${statement}\n\n# Skeletons\n\n${await skeletons(context, files)}` },
        ],
        output: { name: "elements", schema: elementsSchema },
      });
      return { value: await spansOf(context, files, answer?.output?.elements ?? []), stopped };
    },
  });
  const related = elements ?? (await spansOf(context, files, []));
  const code = await renderSpans(context.view, related, { around: 0, numbered: true, mostLines });
  const sets = await performStage(run, {
    name: "locate-edits",
    intent: `places to edit, ${countOf(count, "time")}`,
    run: async (state) => {
      const { answers, stopped } = await sampleModel(
        context,
        {
          role: "retrieval",
          system: placesPrompt,
          messages: [{ role: "user", text: `${statement}\n\n# Code\n\n${code}` }],
          output: { name: "places", schema: placesSchema },
        },
        { count, temperature: sampledTemperature, greedyFirst: false },
      );
      const found = answers
        .map(({ output }) => (output?.places ?? []).filter(({ file }) => files.includes(file)))
        .filter((places) => places.length > 0);
      const codePlaces = (found[0] ?? []).map((place) => ({ ...place, why: "named in the first sample" }));
      return { value: found, state: { ...state, codePlaces }, stopped };
    },
  });
  return sets === undefined || sets.length === 0 ? [related] : sets;
}

async function skeletons({ view }: Pick<ActionContext, "view">, files: readonly string[]): Promise<string> {
  const parts: string[] = [];
  for (const path of files) {
    const skeleton = await outline.run(view.context, { path });
    const loose = await looseOf(view, path);
    const own = skeleton.ok ? skeleton.value.text : "(no definitions known)";
    parts.push([`### ${path}`, own, ...loose.map(renderEntry)].join("\n"));
  }
  return parts.join("\n\n");
}

/** Returns the top-level code of a file, which no outline of definitions contains. */
async function looseOf({ context }: TreeView, path: string) {
  const [graph, read] = [await context.graph(), await context.files.read(path)];
  if (!read.ok || read.value === undefined || graph.file(path) === undefined) return [];
  return looseEntries(read.value.split("\n"), graph.outline(path)).slice(0, mostLoose);
}

type Named = z.infer<typeof elementsSchema>["elements"];

/**
 * Returns the lines of the named elements, and of top-level code in their files. For a file without a named element,
 * returns its first lines.
 */
async function spansOf(
  { view }: Pick<ActionContext, "view">,
  files: readonly string[],
  named: Named,
): Promise<Span[]> {
  const graph = await view.context.graph();
  const loose = new Map<string, readonly Span[]>();
  for (const file of files)
    loose.set(
      file,
      (await looseOf(view, file)).map((span) => ({ file, ...span })),
    );
  return files.flatMap((file): Span[] => {
    const defined = graph.outline(file);
    const names = named.filter((each) => each.file === file).flatMap((each) => each.names);
    const found = names.flatMap((name) => defined.filter((entity) => isNamed(entity, name)));
    if (found.length === 0) return [{ file, startLine: 1, endLine: longestWhole }];
    return [
      ...found.map(({ startLine, endLine }) => ({ file, startLine, endLine })),
      ...(loose.get(file) ?? []),
    ];
  });
}

/**
 * True if the text names the element. `Cart.pick`, `Cart::pick` and `pick()` may all mean `Cart.pick`. A bare name
 * means every definition of this name.
 */
function isNamed({ name, qualified }: Entity, asked: string): boolean {
  const wanted = asked.trim().replace(/\(.*$/, "").replaceAll("::", ".").replaceAll("#", ".");
  const own = qualified.replaceAll("::", ".");
  return own === wanted || name === wanted || own.endsWith(`.${wanted}`);
}
