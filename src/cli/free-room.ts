/** Checks whether this machine has enough free disk space and memory to begin a further try. */
import { statfs } from "node:fs/promises";
import { availableMemory, wholeMemory } from "../base/available-memory.ts";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { formatSize } from "../base/units.ts";

/** Free disk space and memory that a new try needs, in bytes. */
export interface LeastFree {
  /** Free space on the disk of each folder. */
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
 * Throws MillwrightError("disk") if this machine can never have enough room, so that nobody waits for it. Names all
 * such resources. `measure` as for `findShortage`.
 */
export async function refuseHopeless(
  folders: Iterable<string>,
  { leastDisk, leastMemory }: LeastFree,
  measure: () => Memory = measureMemory,
): Promise<void> {
  const problems: string[] = [];
  for (const folder of folders) {
    const disk = await statfs(folder).catch(() => undefined);
    const whole = disk === undefined ? leastDisk : disk.blocks * disk.bsize;
    if (whole < leastDisk)
      problems.push(
        `the disk of ${folder} holds only ${formatSize(whole)}, and --least-disk requires ${formatSize(leastDisk)}`,
      );
  }
  const { whole } = measure();
  if (whole < leastMemory)
    problems.push(
      `the machine has only ${formatSize(whole)} of memory, and --least-memory requires ${formatSize(leastMemory)}`,
    );
  if (problems.length === 0) return;
  throw new MillwrightError("disk", `The batch cannot start on this machine: ${problems.join("; ")}`, {
    hint: "Start again with smaller limits, or give folders on a larger disk with --bench-dir, --results and --logs.",
  });
}

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
