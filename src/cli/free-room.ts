/** Checks whether this machine has enough free disk space and memory to begin a further try. */
import { statfs } from "node:fs/promises";
import { availableMemory, wholeMemory } from "../base/available-memory.ts";
import { describeReadError } from "../base/errors.ts";
import { formatSize } from "../base/units.ts";

/** In bytes. */
export interface LeastFree {
  /** On the disk of each folder. */
  readonly leastDisk: number;
  readonly leastMemory: number;
}

/** In bytes. */
export interface Memory {
  readonly free: number;
  readonly whole: number;
}

const measureMemory = (): Memory => ({ free: availableMemory(), whole: wholeMemory() });

/**
 * Describes the resource that is too scarce, and what to do; undefined if there is enough. A folder that cannot be read
 * has none. `measure`: measures the memory; default: this process's.
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
      return `the disk of ${folder} has ${formatSize(bavail * bsize)} left, and --least-disk asks for ${formatSize(leastDisk)}. Free some space, or start again with a smaller --least-disk`;
  }
  const { free, whole } = measure();
  if (free >= leastMemory) return undefined;
  const asked = `${formatSize(free)} of memory are free, and --least-memory asks for ${formatSize(leastMemory)}`;
  return whole < leastMemory
    ? `${asked}. There are only ${formatSize(whole)} in all: start again with a smaller --least-memory`
    : `${asked}. End other programs, or start again with a smaller --least-memory`;
}
