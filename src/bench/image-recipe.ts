/**
 * Plans the layers of an image that Millwright builds itself. The name of a layer is a hash of everything below it and of
 * its own inputs, so tasks with the same inputs share the layer.
 */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashData, hashText } from "../base/hash.ts";
import { runGit } from "../workspace/git.ts";
import type { FoundCommit } from "./find-repository.ts";

const stepSchema = z.union([
  z.string().min(1),
  z.strictObject({
    /** Shell command, run as root with a network. */
    run: z.string().min(1),
    /** Files of the task's commit that the command reads in its working folder. */
    files: z.array(z.string()).default([]),
  }),
]);

export const recipeSchema = z.strictObject({
  /** The image below all layers. */
  base: z.string().min(1),
  steps: z.array(stepSchema).min(1),
  root: z.string().startsWith("/").optional(),
  path: z.array(z.string()).optional(),
});
export type ImageRecipe = z.infer<typeof recipeSchema>;

export interface PlannedLayer {
  readonly name: string;
  /** The name of the image below. */
  readonly from: string;
  readonly run: string;
  /** Content by path. */
  readonly files: ReadonlyMap<string, Buffer>;
}

const repository = "millwright-built";

/** True for the name of an image that Millwright built. */
export function isBuilt(name: string): boolean {
  return name.startsWith(`${repository}:`);
}

/**
 * Plans the layers for a task's commit. `baseId`: the id of the image below. Throws MillwrightError("usage") if the
 * commit lacks a file of a step.
 */
export async function planLayers(
  { base, steps }: ImageRecipe,
  baseId: string,
  commit: FoundCommit,
): Promise<PlannedLayer[]> {
  const layers: PlannedLayer[] = [];
  let from = base;
  let below = baseId;
  for (const step of steps) {
    const { run, files: paths } = typeof step === "string" ? { run: step, files: [] } : step;
    const files = new Map<string, Buffer>();
    for (const path of paths) files.set(path, await readCommitted(commit, path));
    const contents = [...files].map(([path, content]) => [path, hashText(content)]);
    below = hashData([below, run, contents]);
    const name = `${repository}:${below.slice(0, 24)}`;
    layers.push({ name, from, run, files });
    from = name;
  }
  return layers;
}

async function readCommitted({ gitDirectory, commit }: FoundCommit, path: string): Promise<Buffer> {
  const answer = await runGit({
    gitDirectory,
    arguments: ["cat-file", "blob", `${commit}:${path}`],
    answers: [0, 128],
  });
  if (answer.exitCode === 0) return answer.stdout;
  throw new MillwrightError("usage", `the commit ${commit.slice(0, 12)} has no file ${path}`, {
    hint: "Name only files that each matching task's commit has, or write another rule for the other tasks.",
  });
}
