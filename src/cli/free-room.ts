/** Checks whether this machine has enough free disk space and memory to begin a further try. */
import { statfs } from "node:fs/promises";
import { availableMemory } from "../base/available-memory.ts";
import { describeReadError } from "../base/errors.ts";
import { formatSize } from "../base/units.ts";

/** In bytes. */
export interface LeastFree {
  /** On the disk of each folder. */
  readonly leastDisk: number;
  readonly leastMemory: number;
}

/** Describes the resource that is too scarce; undefined if there is enough. A folder that cannot be read has none. */
export async function findShortage(
  folders: Iterable<string>,
  { leastDisk, leastMemory }: LeastFree,
): Promise<string | undefined> {
  for (const folder of folders) {
    const disk = await statfs(folder).catch((error: unknown) => describeReadError(error));
    if (typeof disk === "string") return `${folder} cannot be read: ${disk}`;
    const { bavail, bsize } = disk;
    if (bavail * bsize < leastDisk)
      return `the disk of ${folder} has ${formatSize(bavail * bsize)} left, and --least-disk asks for ${formatSize(leastDisk)}`;
  }
  const memory = availableMemory();
  if (memory < leastMemory)
    return `${formatSize(memory)} of memory are left, and --least-memory asks for ${formatSize(leastMemory)}`;
  return undefined;
}
