/** Checks whether this machine has enough free disk space and memory to begin a further try. */
import { statfs } from "node:fs/promises";
import { availableMemory, wholeMemory } from "../base/available-memory.ts";
import { describeReadError } from "../base/errors.ts";
import { formatSize } from "../base/units.ts";

/** Free space that a new try needs, in bytes. */
export interface LeastFree {
  /** On the disk of each folder. */
  readonly leastDisk: number;
  readonly leastMemory: number;
}

/** Memory in bytes. */
export interface Memory {
  readonly free: number;
  readonly whole: number;
}

const measureMemory = (): Memory => ({ free: availableMemory(), whole: wholeMemory() });

/**
 * Returns a sentence that names the first scarce resource and the remedy; undefined if enough is free. Reports a folder
 * that it cannot read as a shortage. `measure` returns free and total memory in bytes; default: the machine's or
 * container's.
 */
export async function findShortage(
  folders: Iterable<string>,
  { leastDisk, leastMemory }: LeastFree,
  measure: () => Memory = measureMemory,
): Promise<string | undefined> {
  for (const folder of folders) {
    const disk = await statfs(folder).catch((error: unknown) => describeReadError(error));
    if (typeof disk === "string") return `${folder} cannot be read: ${disk}`;
    const { bavail, bsize } = disk;
    if (bavail * bsize < leastDisk)
      return `the disk of ${folder} has ${formatSize(bavail * bsize)} left, and --least-disk requires ${formatSize(leastDisk)}. Free disk space, or start again with a smaller --least-disk`;
  }
  const { free, whole } = measure();
  if (free >= leastMemory) return undefined;
  const asked = `${formatSize(free)} of memory is free, and --least-memory requires ${formatSize(leastMemory)}`;
  return whole < leastMemory
    ? `${asked}. The machine has only ${formatSize(whole)} in total: start again with a smaller --least-memory`
    : `${asked}. End other programs, or start again with a smaller --least-memory`;
}
