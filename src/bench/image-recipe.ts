/**
 * Plans the layers of an image that Millwright builds itself. The name of a layer is a hash of everything below it and of
 * its own inputs, so tasks with the same inputs share the layer.
 */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashData, hashText } from "../base/hash.ts";
import type { ImageStore } from "../sandbox/contract.ts";
import { hostBase } from "../sandbox/folder-images.ts";
import { runForeignGit } from "../workspace/foreign-git.ts";
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
  /** The image below all layers, for docker. */
  base: z.string().min(1),
  /** The root folder below all layers, for bubblewrap. Default: the host's own programs. */
  folder: z.string().startsWith("/").optional(),
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
  /** The content of each file that the step reads, by path. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** True for the name of an image that Millwright built: in a daemon, or a folder. */
export function isBuilt(name: string): boolean {
  return /(?:^|\/)millwright-built[:/]/.test(name);
}

/** Returns the image below all layers of the recipe. */
export function baseOf({ base, folder }: ImageRecipe, images: Pick<ImageStore, "holdsFolders"> | undefined) {
  return images?.holdsFolders === true ? (folder ?? hostBase) : base;
}

/** Content by path, for each step of a recipe. */
export type StepFiles = readonly ReadonlyMap<string, Buffer>[];

/** Reads the files of the recipe's steps. Throws MillwrightError("usage") if the commit lacks a file. */
export async function readStepFiles({ steps }: ImageRecipe, commit: FoundCommit): Promise<StepFiles> {
  const all: Map<string, Buffer>[] = [];
  for (const step of steps) {
    const files = new Map<string, Buffer>();
    for (const path of typeof step === "string" ? [] : step.files)
      files.set(path, await readCommitted(commit, path));
    all.push(files);
  }
  return all;
}

/**
 * Plans the layers. `base`: the image below, and an id that changes whenever this image does. `variables`: the steps'
 * environment. A layer's name depends on the variables that its step, or a file of the step, names. Steps that read a
 * variable without its name, such as `env`, are not recognised.
 */
export function planLayers(
  { steps }: ImageRecipe,
  stepFiles: StepFiles,
  base: { readonly name: string; readonly id: string; readonly variables: Readonly<Record<string, string>> },
  nameLayer: (hash: string) => string,
): PlannedLayer[] {
  const layers: PlannedLayer[] = [];
  let from = base.name;
  let below = base.id;
  for (const [index, step] of steps.entries()) {
    const run = typeof step === "string" ? step : step.run;
    const files = stepFiles[index] ?? new Map<string, Buffer>();
    const contents = [...files].map(([path, content]) => [path, hashText(content)]);
    const texts = [run, ...[...files.values()].map((content) => content.toString("latin1"))];
    const named = Object.entries(base.variables).filter(([name]) =>
      texts.some((text) => text.includes(name)),
    );
    below = hashData([below, run, contents, ...named]);
    const name = nameLayer(below.slice(0, 24));
    layers.push({ name, from, run, files });
    from = name;
  }
  return layers;
}

async function readCommitted({ gitDirectory, commit }: FoundCommit, path: string): Promise<Buffer> {
  const answer = await runForeignGit({
    gitDirectory,
    arguments: ["cat-file", "blob", `${commit}:${path}`],
    answers: [0, 128],
  });
  if (answer.exitCode === 0) return answer.stdout;
  throw new MillwrightError("usage", `the commit ${commit.slice(0, 12)} has no file ${path}`, {
    hint: "Name only files that each matching task's commit has, or write another rule for the other tasks.",
  });
}
