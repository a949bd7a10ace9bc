/** Opens sandboxes of bubblewrap, and builds layers of images in them. */
import { randomBytes } from "node:crypto";
import { existsSync, statSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { bubblewrapArguments } from "./bubblewrap-arguments.ts";
import { type BubblewrapSetup, runInBubblewrap } from "./bubblewrap-command.ts";
import { layerMounts, runLayerCommand } from "./build-step.ts";
import type { ImageLayer, Sandbox, SandboxSpec } from "./contract.ts";
import { findHierarchies } from "./control-groups.ts";
import {
  findFolders,
  findLayer,
  type LayerRecord,
  layerFiles,
  layerRecord,
  measureFolder,
} from "./folder-images.ts";
import { linkEqualFiles } from "./link-equal-files.ts";
import { type MountNamespace, openMountNamespace } from "./mount-namespace.ts";
import { checkMounts, isOverlay, upperFolder } from "./mounts.ts";
import { createSandbox } from "./sandbox-life.ts";
import { planRoot, type RootOptions, type ShownRoot } from "./shown-root.ts";
import { prepareState, type StateFolders } from "./state-folders.ts";

/** Opens a sandbox. Throws MillwrightError("sandbox") if the image is missing or bubblewrap does not work. */
export async function openBubblewrap(spec: SandboxSpec, options?: RootOptions): Promise<Sandbox> {
  return (await openRooted(spec, options)).sandbox;
}

async function openRooted(
  spec: SandboxSpec,
  { builds, hasOverlays }: Partial<RootOptions> = {},
): Promise<{ sandbox: Sandbox; root: ShownRoot }> {
  await checkMounts(spec.mounts);
  const options = {
    builds: builds ?? false,
    hasOverlays: hasOverlays ?? (spec.image === undefined || (await mountsOverlays(spec.stateDirectory))),
  };
  const root = await planRoot(spec, options);
  const state = await prepareState(spec.stateDirectory, root.home, [...root.view.folders, ...spec.mounts]);
  const overlays = [...root.overlays, ...spec.mounts.filter(isOverlay)];
  let namespace: MountNamespace | undefined;
  if (overlays.length > 0) {
    namespace = await openMountNamespace(overlays, join(spec.stateDirectory, "overlays"));
  }
  try {
    return { sandbox: await startSandbox(spec, root, state, namespace), root };
  } catch (error) {
    await namespace?.close();
    throw error;
  }
}

async function startSandbox(
  spec: SandboxSpec,
  root: ShownRoot,
  state: StateFolders,
  namespace: MountNamespace | undefined,
): Promise<Sandbox> {
  const argumentsFile = join(spec.stateDirectory, "bubblewrap-arguments");
  const given = bubblewrapArguments(spec, root, state, namespace);
  await writeFile(argumentsFile, given.map((argument) => `${argument}\0`).join(""));
  const setup: BubblewrapSetup = {
    owner: spec.owner,
    limits: spec.limits,
    enter: namespace?.enter ?? [],
    argumentsFile,
    hierarchies: await findHierarchies(),
  };
  const sandbox = createSandbox({
    name: "bubblewrap",
    home: root.home,
    environment: {},
    run: (command, pipes) => runInBubblewrap(setup, command, pipes),
    async dispose() {
      await namespace?.close();
    },
  });
  try {
    await sandbox.execute({ run: ["true"], cwd: "/", env: {}, timeoutMs: 30_000 });
  } catch (error) {
    await sandbox.close();
    throw error;
  }
  return sandbox;
}

/** Answers of `mountsOverlays`, by the number of the file system. */
const overlaySupport = new Map<number, Promise<boolean>>();

/** True if this machine mounts overlays over folders of this file system. */
function mountsOverlays(folder: string): Promise<boolean> {
  const { dev } = statSync(folder);
  const answer = overlaySupport.get(dev) ?? tryOverlay(folder);
  overlaySupport.set(dev, answer);
  return answer;
}

async function tryOverlay(folder: string): Promise<boolean> {
  const place = await mkdtemp(join(folder, "probe-"));
  try {
    const mount = { mode: "overlay", source: "/usr", changes: place, target: "/mnt" } as const;
    await (await openMountNamespace([mount], join(place, "links"))).close();
    return true;
  } catch {
    return false;
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/**
 * Builds a layer as the folder `layer.name`. With overlays, the layer contains only its changes. Otherwise it contains
 * all files, and shares equal ones with the image below by hard links. Only we may read the folder around the layers.
 * Throws like `ImageStore.build`.
 */
export async function buildFolderLayer(
  layer: ImageLayer,
  signal: AbortSignal,
  hasOverlays?: boolean,
): Promise<void> {
  const state = join(layer.stateDirectory, "state");
  const made = join(layer.stateDirectory, "layer");
  for (const folder of [state, made]) await mkdir(folder, { recursive: true });
  const { sandbox, root } = await openRooted(
    {
      ...{ owner: "", stateDirectory: state, network: true, limits: layer.limits, image: layer.from },
      mounts: layerMounts(layer),
    },
    { builds: true, ...(hasOverlays === undefined ? {} : { hasOverlays }) },
  );
  try {
    await runLayerCommand(layer, (command) => sandbox.execute(command), signal);
  } finally {
    await sandbox.close();
  }
  const shape = await takeFiles(root, layer.from, join(made, layerFiles));
  const below = shape === "whole" ? 0 : ((await findLayer(layer.from))?.bytes ?? 0);
  const bytes = below + measureFolder(join(made, layerFiles));
  const record: LayerRecord = { from: layer.from, id: randomBytes(16).toString("hex"), shape, bytes };
  await writeFile(join(made, layerRecord), JSON.stringify(record));
  await placeLayer(made, layer.name);
}

/** Moves a finished build to the layer's folder. Leaves a layer that another process put there, which may be in use. */
async function placeLayer(made: string, name: string): Promise<void> {
  const folder = dirname(name);
  await mkdir(folder, { recursive: true });
  // A step may make programs that run as their owner. Other users of this machine must not start them.
  await chmod(folder, 0o700);
  try {
    await rename(made, name);
  } catch (error) {
    if ((await findLayer(name)) !== undefined) return;
    if (!existsSync(name)) throw error;
    await rm(name, { recursive: true, force: true }); // the rest of a removal
    await rename(made, name);
  }
}

/** Moves the files of a finished build to the layer's folder. */
async function takeFiles(root: ShownRoot, from: string, to: string): Promise<LayerRecord["shape"]> {
  if (root.linked !== undefined) {
    await rename(root.linked, to);
    const below = await findFolders(from);
    // The user may write to a base's files, and nobody writes to those of a layer.
    if (below !== undefined && below.base !== from) linkEqualFiles(to, below.base);
    return "whole";
  }
  await mkdir(to, { recursive: true });
  for (const overlay of root.overlays) {
    const upper = upperFolder(overlay);
    if ((await readdir(upper)).length === 0) continue;
    const place = join(to, overlay.target);
    await mkdir(dirname(place), { recursive: true });
    if (overlay.target === "/") await rm(to, { recursive: true });
    await rename(upper, overlay.target === "/" ? to : place);
  }
  return "changes";
}
