/** Opens the store of a batch: a shared folder, or a bucket. */
import { randomBytes } from "node:crypto";
import { link, open, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { largestText, readRegularFile } from "../base/regular-file.ts";
import { identify, type ObjectStore, refuseOther } from "./object-store.ts";
import { openBucket, readBucket } from "./s3-store.ts";

/**
 * Opens a folder that all machines see under the same path, or `s3://BUCKET/PREFIX`. Creates the store if there is
 * none, unless `id` is given. `id`: the id of the store that must be there. Throws MillwrightError if the place cannot
 * be used, or if it contains another store.
 */
export async function openObjectStore(place: string, id?: string): Promise<ObjectStore> {
  const bucket = readBucket(place);
  const isNew = id === undefined;
  const files = bucket === undefined ? await openFolder(resolve(place), isNew) : await openBucket(bucket);
  const store = { ...files, id: id ?? (await identify(files)) };
  await refuseOther(store);
  return store;
}

async function openFolder(folder: string, isNew: boolean): Promise<Omit<ObjectStore, "id">> {
  const failing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new MillwrightError("disk", `The store ${folder} cannot be used: ${reason}`, {
        cause,
        hint: "Every machine must see the folder under the same path and be able to write to it.",
      });
    }
  };
  if (isNew) await failing(() => makeFolders(folder));
  return {
    name: folder,
    get: (path) => failing(async () => readIfThere(join(folder, path))),
    putOnce: (path, content) => failing(() => writeOnce(join(folder, path), content)),
  };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readRegularFile(path, largestText);
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** Writes a file unless it exists. Links a complete file to the name, because a link fails if the name exists. */
async function writeOnce(path: string, content: Uint8Array): Promise<boolean> {
  await makeFolders(dirname(path));
  const temporary = `${path}.${randomBytes(6).toString("hex")}.part`;
  try {
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await link(temporary, path);
    return true;
  } catch (error) {
    if (isSystemError(error, "EEXIST")) return false;
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}
