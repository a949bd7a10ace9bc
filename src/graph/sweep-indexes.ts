/** Removes unused indexes, which hold only derived data. */
import { lstatSync, readdirSync, readFileSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { databaseName, indexNameOf, ownerName } from "./index-folder.ts";
import { takeWriterLock } from "./store/writer-lock.ts";

export interface SweptIndex {
  /** The repository's path. */
  readonly repository: string;
  readonly why: "gone" | "unused";
  readonly bytes: number;
}

export interface IndexesLeft {
  readonly swept: readonly SweptIndex[];
  /** Number of remaining folders with files, including those of other programs. */
  readonly count: number;
  readonly bytes: number;
}

const dayMs = 24 * 3600 * 1000;
/** A missing repository may be on a disk that is not mounted at the moment. */
const goneAfterMs = 7 * dayMs;
const unusedAfterMs = 90 * dayMs;

/**
 * Removes indexes unused for 90 days, or for a week if their repository is gone. Removes a folder only if:
 * - its name matches the path recorded in it
 * - it has a database of ours
 * - no process writes to it
 *
 * Never throws.
 */
export function sweepIndexes(folder: string, now: number): IndexesLeft {
  const swept: SweptIndex[] = [];
  let [count, bytes] = [0, 0];
  for (const name of listNames(folder)) {
    const directory = join(folder, name);
    const size = sizeOf(directory);
    const repository = ownerOf(directory, name);
    const why = repository === undefined ? undefined : reasonToSweep(directory, repository, now);
    if (repository !== undefined && why !== undefined && remove(directory))
      swept.push({ repository, why, bytes: size });
    else if (size > 0) {
      count++;
      bytes += size;
    }
  }
  return { swept, count, bytes };
}

function ownerOf(directory: string, name: string): string | undefined {
  if (statusOf(join(directory, databaseName))?.isFile() !== true) return undefined;
  if (statusOf(directory)?.isDirectory() !== true) return undefined;
  try {
    const repository = readFileSync(join(directory, ownerName), "utf8").replace(/\n$/, "");
    return indexNameOf(repository) === name ? repository : undefined;
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}

function reasonToSweep(directory: string, repository: string, now: number): SweptIndex["why"] | undefined {
  const unusedMs = now - (statusOf(join(directory, ownerName))?.mtimeMs ?? now);
  if (unusedMs > unusedAfterMs) return "unused";
  return unusedMs > goneAfterMs && isGone(repository) ? "gone" : undefined;
}

/** A folder that cannot be read (permissions, an unresponsive network) does not count as gone. */
function isGone(path: string): boolean {
  try {
    lstatSync(path);
    return false;
  } catch (error) {
    return isSystemError(error, "ENOENT") || isSystemError(error, "ENOTDIR");
  }
}

function remove(directory: string): boolean {
  try {
    const lock = takeWriterLock(directory);
    if (lock === undefined) return false;
    try {
      rmSync(directory, { recursive: true, force: true });
    } finally {
      lock.release();
    }
    return true;
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}

function listNames(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isSystemError(error)) return [];
    throw error;
  }
}

/** Bytes of the files directly in the folder; 0 if the path is not a folder. */
function sizeOf(directory: string): number {
  let bytes = 0;
  if (statusOf(directory)?.isDirectory() === true)
    for (const name of listNames(directory)) bytes += statusOf(join(directory, name))?.size ?? 0;
  return bytes;
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isSystemError(error)) return undefined;
    throw error;
  }
}
