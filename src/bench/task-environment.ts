/**
 * Opens the environments of tasks in the bench's folder. Tasks with the same commit and setup share one environment,
 * which Millwright builds once.
 */
import { randomBytes } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { hashData } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import type { SandboxImage, WorkspaceSandbox } from "../workspace/contract.ts";
import type { HostEnvironment } from "../workspace/environment.ts";
import { findTaskCommit, type RepositoryPlace } from "./find-repository.ts";
import { type ImageCache, type LayerToBuild, listPulled } from "./image-cache.ts";
import {
  type ImageRecipe,
  type PlannedLayer,
  planLayers,
  readStepFiles,
  type StepFiles,
} from "./image-recipe.ts";
import { findPackageDay, packageVariables } from "./package-day.ts";
import {
  isFinished,
  listPrepared,
  type PreparedEnvironment,
  prepareEnvironment,
  removeEnvironment,
} from "./prepare-environment.ts";
import { givenImage, type TaskEnvironment, type TaskImage } from "./rules.ts";
import { sweepShared } from "./share-files.ts";
import { createSharedUses } from "./shared-uses.ts";
import type { DatasetTask } from "./task.ts";

export interface EnvironmentOptions {
  readonly place: RepositoryPlace;
  /** The bench's folder. Environments are in its `environments/`. */
  readonly directory: string;
  readonly sandbox: WorkspaceSandbox;
  /** The cache of images. Undefined if the sandbox runs no images; then no task asks for one. */
  readonly images: ImageCache | undefined;
  readonly hostEnvironment: HostEnvironment;
  /** Names of host variables that a setup may see. */
  readonly setupVariables: readonly string[];
  /** Time limit for a setup, in milliseconds. */
  readonly limitMs: number;
  /** A folder of stored environments. Millwright copies these and runs no setup. Default: it runs the setups. */
  readonly frozen?: string | undefined;
  /** Maximum bytes of environments to keep; undefined: all. */
  readonly environmentQuota?: number | undefined;
  /** True to remove each environment once no task needs it. */
  readonly dropEnvironments: boolean;
  readonly signal: AbortSignal;
}

export interface HeldEnvironment extends PreparedEnvironment {
  /** The task's own image. */
  readonly image: SandboxImage | undefined;
  /** The environment's name in a store of environments. */
  readonly key: string;
  release(): Promise<void>;
}

/** The environments' folder in the bench's folder. */
const environments = "environments";

/**
 * Lists the repositories (`OWNER/NAME`) that are warm in the bench's folder: with environments, or with images that
 * Millwright pulled or built. The most recently used come last.
 */
export async function listWarm(directory: string): Promise<string[]> {
  const [prepared, pulled] = [await listPrepared(join(directory, environments)), await listPulled(directory)];
  const known = [...prepared, ...pulled].sort((one, other) => one.usedMs - other.usedMs);
  return [...new Set(known.map(({ repository }) => repository).reverse())].reverse();
}

/** Environments by folder. Concurrent tasks build a shared environment once, and only the last task removes it. */
const inUse = createSharedUses<PreparedEnvironment>();

/**
 * Opens a task's environment, and keeps it at least until the caller releases it. Throws MillwrightError if the commit
 * does not exist or the setup fails.
 */
export async function holdEnvironment(
  task: DatasetTask,
  place: EnvironmentPlace,
  options: EnvironmentOptions,
): Promise<HeldEnvironment> {
  const held = place.image === undefined ? undefined : await holdImage(task, place, place.image, options);
  const image = held?.image;
  try {
    const environment = await holdFolder(task, { ...place, image }, options);
    const release = async (): Promise<void> => {
      await environment.release();
      await held?.release();
    };
    return { ...environment, image, release };
  } catch (error) {
    await held?.release();
    throw error;
  }
}

/**
 * Returns the id of the task's own image, as part of a key: empty without an image, or if its id is not known yet.
 * Results of an image do not hold for another image under the same name.
 */
export function identifyImage(
  place: Pick<EnvironmentPlace, "image">,
  options: Pick<EnvironmentOptions, "images" | "sandbox">,
): readonly string[] {
  const found = findImage(place, options);
  return found === undefined ? [] : [found.id];
}

/**
 * Finds the name and the id of the task's own image. For a recipe, those of the image below all layers. Undefined if
 * the task has no image, or if the machine does not have it yet.
 */
export function findImage(
  { image }: Pick<EnvironmentPlace, "image">,
  { images, sandbox }: Pick<EnvironmentOptions, "images" | "sandbox">,
): { readonly name: string; readonly id: string } | undefined {
  if (image === undefined) return undefined;
  const name = givenImage(image, sandbox.provider.images);
  const id = images?.idOf(name);
  return id === undefined ? undefined : { name, id };
}

type EnvironmentPlace = Pick<TaskEnvironment, "basePatch" | "setup" | "packagesUntil" | "remove" | "image">;
/** A place whose image has a name. */
type NamedPlace = Omit<EnvironmentPlace, "image"> & { readonly image: SandboxImage | undefined };

interface HeldImage {
  readonly image: SandboxImage;
  release(): Promise<void>;
}

/** Pulls or builds the task's image, which stays until the caller releases it. */
async function holdImage(
  task: DatasetTask,
  place: EnvironmentPlace,
  given: TaskImage,
  options: EnvironmentOptions,
): Promise<HeldImage> {
  const { images, signal } = options;
  const { repository } = task;
  const keep = (name: string, layers: readonly LayerToBuild[] = []) =>
    images?.hold(name, repository, signal, layers) ?? Promise.resolve({ async release() {} });
  if (!("base" in given)) return { image: given, ...(await keep(given.name)) };
  const below = givenImage(given, options.sandbox.provider.images);
  const base = await keep(below);
  try {
    const layers = await planTaskLayers(task, place, given, options);
    const variables = await setupVariables(task, place, options);
    const building = layers.map((layer) => ({ ...layer, build: () => build(variables, layer, options) }));
    const name = layers.at(-1)?.name ?? below;
    const built = await keep(name, building);
    const release = async (): Promise<void> => {
      await built.release();
      await base.release();
    };
    return { image: { name, root: given.root, path: given.path }, release };
  } catch (error) {
    await base.release();
    throw error;
  }
}

async function planTaskLayers(
  task: DatasetTask,
  place: EnvironmentPlace,
  recipe: ImageRecipe,
  options: EnvironmentOptions,
): Promise<PlannedLayer[]> {
  const { images: store } = options.sandbox.provider;
  const { files, day } = await readRecipeInputs(task, place, recipe, options);
  const name = givenImage(recipe, store);
  const id = [options.images?.idOf(name) ?? name, ...(day === undefined ? [] : [day])].join(" until ");
  const nameLayer = (hash: string) => store?.nameLayer(options.directory, hash) ?? hash;
  const variables = ownVariables(task, options);
  return planLayers(recipe, files, { name, id, variables }, nameLayer);
}

interface RecipeInputs {
  readonly files: StepFiles;
  readonly day: string | undefined;
}

/** By task and place. A batch plans the layers of a task several times, and git answers slowly. */
const recipeInputs = new WeakMap<DatasetTask, Map<string, RecipeInputs>>();

/** Reads what the layers need of the task's commit. */
async function readRecipeInputs(
  task: DatasetTask,
  { packagesUntil }: EnvironmentPlace,
  recipe: ImageRecipe,
  { place }: EnvironmentOptions,
): Promise<RecipeInputs> {
  const ofTask = recipeInputs.get(task) ?? new Map<string, RecipeInputs>();
  recipeInputs.set(task, ofTask);
  const key = hashData([recipe.steps, packagesUntil ?? null, place]);
  const known = ofTask.get(key);
  if (known !== undefined) return known;
  const commit = await findTaskCommit(place, task.repository, task.baseCommit);
  const day = packagesUntil === undefined ? undefined : await findPackageDay(packagesUntil, commit);
  const read = { files: await readStepFiles(recipe, commit), day };
  ofTask.set(key, read);
  return read;
}

async function build(
  variables: Readonly<Record<string, string>>,
  layer: PlannedLayer,
  options: EnvironmentOptions,
): Promise<void> {
  const { sandbox, limitMs, signal, directory } = options;
  const stateDirectory = join(directory, "work", `image-${randomBytes(6).toString("hex")}`);
  const files = layer.files.size === 0 ? undefined : join(stateDirectory, "files");
  try {
    for (const [path, content] of layer.files) {
      const place = join(stateDirectory, "files", path);
      await makeFolders(dirname(place));
      await writeFile(place, content);
    }
    const { name, from, run } = layer;
    const request = { name, from, run, files, stateDirectory, variables, limits: sandbox.limits, limitMs };
    await sandbox.provider.images?.build(request, signal);
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
  }
}

/** Names the task's image without building it. */
async function nameImage(
  task: DatasetTask,
  place: EnvironmentPlace,
  options: EnvironmentOptions,
): Promise<NamedPlace> {
  const { image } = place;
  if (image === undefined || !("base" in image)) return { ...place, image };
  const layers = await planTaskLayers(task, place, image, options);
  const name = layers.at(-1)?.name ?? givenImage(image, options.sandbox.provider.images);
  return { ...place, image: { name, root: image.root, path: image.path } };
}

/** True if the task's environment has still to be made. False if this machine lacks the task's commit. */
export async function lacksEnvironment(
  task: DatasetTask,
  place: EnvironmentPlace,
  options: EnvironmentOptions,
): Promise<boolean> {
  try {
    return !isFinished((await findFolder(task, await nameImage(task, place, options), options)).folder);
  } catch (error) {
    if (error instanceof MillwrightError) return false;
    throw error;
  }
}

/** Finds the folder of a task's environment, whether or not it exists. */
async function findFolder(task: DatasetTask, made: NamedPlace, options: EnvironmentOptions) {
  const { basePatch, setup, packagesUntil, remove, image: own } = made;
  const { repository, version } = task;
  const found = await findTaskCommit(options.place, repository, task.baseCommit);
  const baseCommit = found.commit;
  const name = folderName(repository);
  const sandbox = own === undefined ? options.sandbox : { ...options.sandbox, image: own };
  const { provider, image } = sandbox;
  const imageId = own === undefined ? undefined : options.images?.idOf(own.name);
  const ingredients = {
    repository,
    baseCommit,
    version,
    basePatch,
    setup,
    packagesUntil,
    remove,
    sandbox: provider.name,
    image: image ?? null,
    ...(imageId === undefined ? {} : { imageId }),
    ...(options.frozen === undefined ? {} : { frozen: options.frozen }),
  };
  // Without the sandbox: each one shows the host's programs, or else the image's.
  const key = hashData({
    ...{ repository, baseCommit, version, basePatch, setup, packagesUntil, remove },
    image: image?.name,
  });
  const hash = hashData(ingredients).slice(0, 12);
  const folder = join(options.directory, environments, `${name}-${baseCommit.slice(0, 8)}-${hash}`);
  return { found, name, sandbox, key, folder };
}

/** The name of the repository's folder in an environment. */
function folderName(repository: string): string {
  return repository.split("/").at(-1) || "repository";
}

async function holdFolder(
  task: DatasetTask,
  made: NamedPlace,
  options: EnvironmentOptions,
): Promise<Omit<HeldEnvironment, "image">> {
  const { basePatch, setup, remove } = made;
  const { found, name, sandbox, key, folder } = await findFolder(task, made, options);
  const baseCommit = found.commit;
  const variables = await setupVariables({ ...task, baseCommit }, made, options);
  const make = () =>
    prepareEnvironment({
      ...options,
      sandbox,
      source: found.gitDirectory,
      commit: baseCommit,
      folder,
      fullName: task.repository,
      name,
      basePatch,
      setup,
      remove,
      shared: sharedFolder(options),
      frozen: options.frozen === undefined ? undefined : { folder: options.frozen, key },
      variables,
    });
  // A failed setup's output stays in its folder.
  const held = await inUse.hold(folder, make, options.signal);
  const drop = options.dropEnvironments ? () => removeEnvironment(folder) : undefined;
  const release = async (): Promise<void> => {
    await held.release(drop);
    await evictEnvironments(options);
  };
  return { ...held.value, key, release };
}

/** Removes unused environments, the least recently used first, until the others fit into the quota. */
async function evictEnvironments(options: EnvironmentOptions): Promise<void> {
  const { environmentQuota: quota, directory } = options;
  if (quota === undefined) return;
  const made = await listPrepared(join(directory, environments));
  let total = made.reduce((sum, { bytes }) => sum + bytes, 0);
  let isSwept = true;
  for (const { folder, repository, notes, bytes } of made.toSorted(
    (one, other) => one.usedMs - other.usedMs,
  )) {
    if (total <= quota) break;
    // If a task uses the environment, or begins to, this use is not the last one, and removes nothing.
    const unused = { repository: join(folder, folderName(repository)), notes };
    const held = await inUse.hold(folder, async () => unused);
    if (held.value === unused) {
      await held.release(() => removeEnvironment(folder));
      total -= bytes;
      isSwept = false;
    } else await held.release();
  }
  const shared = sharedFolder(options);
  if (!isSwept && shared !== undefined) await sweepShared(shared);
}

/**
 * The folder of shared files; undefined if environments share nothing. In a sandbox without a boundary, a test could
 * write to a shared file, and thus to all environments. If Millwright removes each environment after its task, it would
 * have to search this folder for unused files each time.
 */
function sharedFolder({ directory, dropEnvironments, sandbox }: EnvironmentOptions): string | undefined {
  return dropEnvironments || !sandbox.provider.boundary ? undefined : join(directory, "shared-files");
}

async function setupVariables(
  task: DatasetTask,
  { packagesUntil }: Pick<EnvironmentPlace, "packagesUntil">,
  options: EnvironmentOptions,
): Promise<Record<string, string>> {
  return {
    ...(packagesUntil === undefined
      ? {}
      : packageVariables(
          await findPackageDay(
            packagesUntil,
            await findTaskCommit(options.place, task.repository, task.baseCommit),
          ),
        )),
    ...ownVariables(task, options),
  };
}

/** The variables of setups and steps, without the day of packages: the user's `--setup-variable`, and the task's own. */
function ownVariables(
  task: DatasetTask,
  { setupVariables: names, hostEnvironment }: EnvironmentOptions,
): Record<string, string> {
  const taken = names.flatMap((name) => {
    const value = hostEnvironment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(taken),
    MILLWRIGHT_REPOSITORY: task.repository,
    MILLWRIGHT_COMMIT: task.baseCommit,
    MILLWRIGHT_VERSION: task.version,
  };
}
