/** Keeps task images within a quota. Removes unused images that Millwright pulled or built, the least recently used first. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import type { ImageStore } from "../sandbox/contract.ts";
import type { UsedRepository } from "./prepare-environment.ts";

export interface ImageCache {
  /** Learns the ids of images that are present, or that the cache once pulled. */
  learn(names: readonly string[]): Promise<void>;
  /**
   * Returns the image's id, which changes whenever the image does. Undefined for an image that neither `learn` nor
   * `hold` found.
   */
  idOf(name: string): string | undefined;
  /**
   * Pulls or builds the image if it is missing. The image stays until `release`. `repository`: `OWNER/NAME` of the
   * image's task. `layers`: the layers to build, the image's own last; empty for an image to pull. Throws like
   * `ImageStore.ensure` and `ImageStore.build`.
   */
  hold(
    name: string,
    repository: string,
    signal: AbortSignal,
    layers?: readonly LayerToBuild[],
  ): Promise<{ release(): Promise<void> }>;
}

/** A layer, and the function that builds it. */
export interface LayerToBuild {
  readonly name: string;
  readonly from: string;
  build(): Promise<void>;
}

/** All caches of one folder in this process share this state: a worker opens a cache for each of its batches. */
interface SharedState {
  readonly users: Map<string, number>;
  /** The images' ids by name. */
  readonly ids: Map<string, string>;
  /** Pulls and removals run one at a time, because each reads and writes the list. */
  turn: Promise<unknown>;
}
const states = new Map<string, SharedState>();

function stateOf(path: string): SharedState {
  const state = states.get(path) ?? { users: new Map(), ids: new Map(), turn: Promise.resolve() };
  states.set(path, state);
  return state;
}

const pulledSchema = z.record(
  z.string(),
  // The repository and the id are absent in the lists of earlier versions.
  z.object({
    bytes: z.number(),
    lastUsed: z.number(),
    repository: z.string().optional(),
    id: z.string().optional(),
  }),
);
type Pulled = z.infer<typeof pulledSchema>;
const listName = "images.json";
/** The ids that images had when a command last asked for them, by name. */
const idsName = "image-ids.json";

/**
 * Opens a cache of images. `directory`: the folder for the list of images that the cache pulled. The cache never
 * removes images that existed before. `quotaBytes`: the quota; undefined: no quota. A pulled image counts in full,
 * although images share layers. A built image counts with its own layer.
 */
export function openImageCache(
  directory: string,
  images: ImageStore,
  quotaBytes: number | undefined,
): ImageCache {
  const path = join(directory, listName);
  const state = stateOf(path);
  const { users, ids } = state;
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = state.turn.then(work, work);
    state.turn = next.catch(() => {});
    return next;
  };
  async function take(name: string, repository: string, signal: AbortSignal): Promise<void> {
    const pulled = await readPulled(path);
    const { id, bytes, wasPulled } = await images.ensure(name, signal);
    ids.set(name, id);
    await keepIds(directory, new Map([[name, id]]));
    if (!wasPulled && pulled[name] === undefined) return;
    pulled[name] = { bytes, lastUsed: Date.now(), repository, id };
    await writeFileAtomically(path, JSON.stringify(pulled));
    await evict(pulled);
  }
  async function takeBuilt(layers: readonly LayerToBuild[], repository: string): Promise<void> {
    for (const [index, { name, from, build }] of layers.entries()) {
      const pulled = await readPulled(path);
      const found = await images.find(name);
      if (found === undefined) await build();
      const made = found ?? (await images.find(name));
      if (made === undefined) continue; // somebody removed it; the sandbox will say so
      const known = found === undefined ? undefined : pulled[name]?.bytes;
      const bytes = known ?? Math.max(0, made.bytes - ((await images.find(from))?.bytes ?? 0));
      // A layer that is a folder needs those below it, so they stay longer.
      const lastUsed = Date.now() + layers.length - index;
      pulled[name] = { bytes, lastUsed, repository, id: made.id };
      await writeFileAtomically(path, JSON.stringify(pulled));
    }
    await evict(await readPulled(path));
  }
  async function evict(pulled: Pulled): Promise<void> {
    const excess = chooseEvicted(pulled, new Set(users.keys()), quotaBytes);
    for (const name of excess) {
      await images.remove(name);
      delete pulled[name];
    }
    if (excess.length > 0) await writeFileAtomically(path, JSON.stringify(pulled));
  }
  return {
    async learn(names) {
      const learned = await findIds(names, images, await readPulled(path));
      for (const [name, id] of learned) ids.set(name, id);
      await inTurn(() => keepIds(directory, learned));
    },
    idOf: (name) => ids.get(name),
    async hold(name, repository, signal, layers = []) {
      const names = new Set([name, ...layers.map((layer) => layer.name)]);
      countUse(users, names, 1);
      try {
        await inTurn(() =>
          layers.length === 0 ? take(name, repository, signal) : takeBuilt(layers, repository),
        );
      } catch (error) {
        countUse(users, names, -1);
        throw error;
      }
      return {
        async release() {
          countUse(users, names, -1);
          await inTurn(async () => evict(await readPulled(path)));
        },
      };
    },
  };
}

/** Finds the ids of images that are present, or that the cache once pulled. */
async function findIds(
  names: readonly string[],
  images: ImageStore,
  pulled: Pulled,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of new Set(names)) {
    const id = (await images.find(name))?.id ?? pulled[name]?.id;
    if (id !== undefined) found.set(name, id);
  }
  return found;
}

/** Adds `count` to the number of each image's uses. */
function countUse(users: Map<string, number>, names: Iterable<string>, count: 1 | -1): void {
  for (const name of names) {
    const uses = (users.get(name) ?? 0) + count;
    if (uses > 0) users.set(name, uses);
    else users.delete(name);
  }
}

/** Lists the repositories of the images that caches of the folder pulled or built, and did not remove. */
export async function listPulled(directory: string): Promise<UsedRepository[]> {
  const pulled = await readPulled(join(directory, listName));
  return Object.values(pulled).flatMap(({ repository, lastUsed: usedMs }) =>
    repository === undefined ? [] : [{ repository, usedMs }],
  );
}

/** Reads the ids that caches of the folder last learned, by the images' names. */
export async function readImageIds(directory: string): Promise<ReadonlyMap<string, string>> {
  const path = join(directory, idsName);
  if (!existsSync(path)) return new Map();
  return new Map(
    Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(await readFile(path, "utf8")))),
  );
}

async function keepIds(directory: string, learned: ReadonlyMap<string, string>): Promise<void> {
  const known = await readImageIds(directory);
  if ([...learned].every(([name, id]) => known.get(name) === id)) return;
  const all = Object.fromEntries([...known, ...learned]);
  await writeFileAtomically(join(directory, idsName), JSON.stringify(all));
}

async function readPulled(path: string): Promise<Pulled> {
  return existsSync(path) ? pulledSchema.parse(JSON.parse(await readFile(path, "utf8"))) : {};
}

/**
 * Chooses the images to remove, least recently used first, until the others fit into the quota. Keeps images in use,
 * even if they alone exceed the quota.
 */
export function chooseEvicted(
  pulled: Pulled,
  inUse: ReadonlySet<string>,
  quotaBytes: number | undefined,
): string[] {
  if (quotaBytes === undefined) return [];
  let total = Object.values(pulled).reduce((sum, { bytes }) => sum + bytes, 0);
  const oldestFirst = Object.entries(pulled).toSorted(([, a], [, b]) => a.lastUsed - b.lastUsed);
  const evicted: string[] = [];
  for (const [name, { bytes }] of oldestFirst) {
    if (total <= quotaBytes) break;
    if (inUse.has(name)) continue;
    evicted.push(name);
    total -= bytes;
  }
  return evicted;
}
