/** Images that are folders: a root folder, or layers over one. The folder `/` stands for the host's own programs. */
import { lstatSync, readdirSync, type Stats, statSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { isAbsolute, join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { fieldOf, textOf } from "../base/fields.ts";
import { hashData } from "../base/hash.ts";
import type { HeldImage, ImageStore } from "./contract.ts";

/** The base that consists of the host's own programs, read-only. */
export const hostBase = "/";

/** A root folder, and the folders of the layers over it. */
export interface FolderImage {
  readonly base: string;
  /** The folders of the layers, the lowest first. */
  readonly layers: readonly string[];
}

/** The record of a layer, in the layer's folder. */
export interface LayerRecord {
  /** The name of the image below. */
  readonly from: string;
  /** Changes whenever somebody builds the layer again. */
  readonly id: string;
  /** "changes": the files over those of `from`, in the format of overlayfs. "whole": all files. */
  readonly shape: "changes" | "whole";
  /** Bytes on disk, with the layers below that it needs. */
  readonly bytes: number;
}

export const layerRecord = "layer.json";
export const layerFiles = "files";

/** Finds the image's folders. Undefined if one of them is missing. */
export async function findFolders(name: string): Promise<FolderImage | undefined> {
  const record = await findLayer(name);
  const files = join(name, layerFiles);
  if (record === undefined) return isFolder(name) ? { base: name, layers: [] } : undefined;
  if (record.shape === "whole") return { base: files, layers: [] };
  const below = await findFolders(record.from);
  return below === undefined ? undefined : { base: below.base, layers: [...below.layers, files] };
}

/** Returns the image's folders. Throws MillwrightError("sandbox") if there is no such image. */
export async function requireFolders(name: string): Promise<FolderImage> {
  const found = isAbsolute(name) ? await findFolders(name) : undefined;
  if (found !== undefined) return found;
  throw new MillwrightError(
    "sandbox",
    `bubblewrap cannot run the image ${name}: this is not the absolute path of an unpacked image.`,
    {
      hint: "Unpack the image into a folder and give its absolute path, or use the sandbox docker.",
    },
  );
}

/** Returns the store of these images. `build`: see `ImageStore.build`. */
export function folderImages(build: ImageStore["build"]): ImageStore {
  return {
    holdsFolders: true,
    nameLayer: (directory, hash) => join(directory, "millwright-built", hash),
    find,
    async ensure(name) {
      await requireFolders(name);
      const known = ids.get(name);
      const held = known === undefined ? await find(name) : { id: known, bytes: 0 };
      return { ...(held ?? { id: name, bytes: 0 }), wasPulled: false };
    },
    findLack: async () => undefined,
    build,
    async remove(name) {
      if ((await findLayer(name)) === undefined) return;
      await rm(join(name, layerRecord), { force: true }).catch(() => {});
      await rm(name, { recursive: true, force: true }).catch(() => {});
    },
  };
}

async function find(name: string): Promise<Omit<HeldImage, "wasPulled"> | undefined> {
  const found = isAbsolute(name) ? await findFolders(name) : undefined;
  if (found === undefined) return undefined;
  const record = await findLayer(name);
  if (record !== undefined) return { id: record.id, bytes: record.bytes };
  return { id: identify(name), bytes: 0 }; // the user's folder takes no space of ours
}

/** Reads the record of a layer. Undefined if the folder is no layer. */
export async function findLayer(name: string): Promise<LayerRecord | undefined> {
  const text = await readFile(join(name, layerRecord), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  const given: unknown = JSON.parse(text);
  const [from, id, shape] = [textOf(given, "from"), textOf(given, "id"), textOf(given, "shape")];
  const bytes = fieldOf(given, "bytes");
  if (from === undefined || id === undefined || typeof bytes !== "number") return undefined;
  return shape === "changes" || shape === "whole" ? { from, id, shape, bytes } : undefined;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** The ids of bases that this process last computed. A command computes them when it begins. */
const ids = new Map<string, string>();

/** Computes an id from the names, modes and times of a base's files. */
function identify(base: string): string {
  const isHost = base === hostBase;
  // The host has too many files. A package manager renames files into these folders, which changes their times.
  const [roots, depth] = isHost ? [["/usr", "/opt"], 2] : [[base], Number.POSITIVE_INFINITY];
  const facts = roots.flatMap((root) =>
    [...walk(root, depth)].map(({ path, status }) => [
      path,
      status.mode,
      status.isDirectory() && !isHost ? 0 : status.mtimeMs,
    ]),
  );
  const id = hashData([base, facts]);
  ids.set(base, id);
  return id;
}

/** Returns the bytes on disk of a folder's files. A file with several links counts in part. */
export function measureFolder(folder: string): number {
  let bytes = 0;
  for (const { status } of walk(folder, Number.POSITIVE_INFINITY))
    bytes += (status.blocks * 512) / (status.isDirectory() ? 1 : status.nlink);
  return Math.round(bytes);
}

function* walk(folder: string, depth: number): Generator<{ path: string; status: Stats }> {
  for (const name of listNames(folder)) {
    const path = join(folder, name);
    const status = lstatSync(path, { throwIfNoEntry: false });
    if (status === undefined) continue;
    yield { path, status };
    if (status.isDirectory() && depth > 1) yield* walk(path, depth - 1);
  }
}

/** Lists the names in a folder, sorted; none for a folder that cannot be read. */
function listNames(folder: string): string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}
