/**
 * The store of environments: each content once, named by its SHA-256, and a manifest for each environment, which lists
 * its files.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  writeFileSync,
} from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { isSystemError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { parseJson } from "../base/parse-json.ts";
import { largestText, readRegularFile, refuseFile } from "../base/regular-file.ts";

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
/** A path, in the form of `showPath`. */
const pathSchema = z.string().max(16_384);
/**
 * An entry of the manifest. `moved`: in the content, `ownPath` replaces the environment's own path. In a link's target,
 * it always does.
 */
const entrySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("folder"), path: pathSchema }),
  z.object({ kind: z.literal("link"), path: pathSchema, target: pathSchema }),
  z.object({
    kind: z.literal("file"),
    path: pathSchema,
    sha256: hashSchema,
    bytes: z.int(),
    isProgram: z.boolean(),
    moved: z.boolean(),
  }),
]);
export type Entry = z.infer<typeof entrySchema>;
export type FileEntry = Extract<Entry, { kind: "file" }>;
export type LinkEntry = Extract<Entry, { kind: "link" }>;

const schema = "millwright.frozen-environment/1";
const manifestSchema = z.object({ schema: z.literal(schema), entries: z.array(entrySchema) });

/** A placeholder for the environment's own path. */
export const ownPath = "@MILLWRIGHT-ENVIRONMENT@";

function manifestPath(folder: string, key: string): string {
  return join(folder, "environments", `${key}.json`);
}

export function objectPath(folder: string, hash: string): string {
  return join(folder, "objects", hash.slice(0, 2), hash);
}

/** Reads the manifest with this key. Returns "missing" if there is none, and "damaged" if Millwright cannot use it. */
export function readManifest(folder: string, key: string): Entry[] | "missing" | "damaged" {
  try {
    const text = readRegularFile(manifestPath(folder, key), largestText).toString("utf8");
    return manifestSchema.safeParse(parseJson(text)).data?.entries ?? "damaged";
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return "missing";
    throw error;
  }
}

export async function writeManifest(folder: string, key: string, entries: readonly Entry[]): Promise<void> {
  const path = manifestPath(folder, key);
  await makeFolders(dirname(path));
  await writeFileAtomically(path, `${JSON.stringify({ schema, entries })}\n`, 0o666);
}

export interface Content {
  readonly sha256: string;
  readonly bytes: number;
}

/** Checks a content in the store. Reads the whole content. */
export function checkObject(folder: string, { sha256, bytes }: Content): "whole" | "missing" | "damaged" {
  try {
    const found = measure(readPieces(objectPath(folder, sha256)));
    return found.sha256 === sha256 && found.bytes === bytes ? "whole" : "damaged";
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return "missing";
    throw error;
  }
}

/** Stores a content, unless the store already has an undamaged copy. Calls `read` once or twice. */
export function putObject(folder: string, read: () => Iterable<Uint8Array>): Content {
  const content = measure(read());
  if (checkObject(folder, content) === "whole") return content;
  const path = objectPath(folder, content.sha256);
  const part = join(unfinished(folder), content.sha256);
  for (const each of [path, part]) mkdirSync(dirname(each), { recursive: true });
  writePieces(part, read(), { mode: 0o666, flag: "w", isSynced: true });
  renameSync(part, path);
  return content;
}

const unfinished = (folder: string): string => join(folder, "unfinished");

/** Removes unfinished files of killed processes. */
export async function removeUnfinished(folder: string): Promise<void> {
  await rm(unfinished(folder), { recursive: true, force: true });
}

function measure(pieces: Iterable<Uint8Array>): Content {
  const hash = createHash("sha256");
  let bytes = 0;
  for (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest("hex"), bytes };
}

/**
 * Reads a regular file of any size in pieces. Each piece overwrites the one before. Throws MillwrightError if the path
 * is no regular file.
 */
export function* readPieces(path: string | Buffer): Generator<Uint8Array> {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(file);
    if (!status.isFile()) throw refuseFile(path.toString(), "is not a regular file");
    const piece = Buffer.allocUnsafe(Math.min(1024 * 1024, status.size + 1));
    for (let count = readSync(file, piece); count > 0; count = readSync(file, piece))
      yield piece.subarray(0, count);
  } finally {
    closeSync(file);
  }
}

interface Writing {
  readonly mode: number;
  /** `wx`: fails if there is anything at the path. */
  readonly flag: "w" | "wx";
  readonly isSynced: boolean;
}

export function writePieces(
  path: string | Buffer,
  pieces: Iterable<Uint8Array>,
  { mode, flag, isSynced }: Writing,
): void {
  const file = openSync(path, flag, mode);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
    if (isSynced) fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
