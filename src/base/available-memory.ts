/** Measures the free and the total memory of this process. Considers the machine and the cgroups around the process. */
import { readFileSync } from "node:fs";
import { freemem, totalmem } from "node:os";
import { dirname, join } from "node:path";

/** The files of a cgroup by version: its limit, its use, and the field of `memory.stat` with the droppable cache. */
const versions = [
  {
    mount: "",
    line: /^0::(.*)$/m,
    names: { limit: "memory.max", used: "memory.current", cache: /^inactive_file (\d+)$/m },
  },
  {
    mount: "memory",
    line: /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(.*)$/m,
    names: {
      limit: "memory.limit_in_bytes",
      used: "memory.usage_in_bytes",
      cache: /^total_inactive_file (\d+)$/m,
    },
  },
] as const;

export interface MemoryFiles {
  /** The folder in which the cgroups are mounted. */
  readonly root: string;
  /** The file that names the process's own cgroups. */
  readonly own: string;
}

const systemFiles: MemoryFiles = { root: "/sys/fs/cgroup", own: "/proc/self/cgroup" };

/**
 * Returns the smallest number of free bytes: on the machine, or in a cgroup around this process (container, pod,
 * service). As in Kubernetes, file cache that the kernel can drop counts as free.
 */
export function availableMemory(files: MemoryFiles = systemFiles, ofMachine = freemem()): number {
  return Math.min(ofMachine, ...measureGroups(files, leftIn));
}

/**
 * Returns the maximum memory of this process in bytes: the machine's memory, or a smaller limit of a cgroup around the
 * process.
 */
export function wholeMemory(files: MemoryFiles = systemFiles, ofMachine = totalmem()): number {
  return Math.min(ofMachine, ...measureGroups(files, limitOf));
}

/** The names of a cgroup's files. */
type GroupFiles = (typeof versions)[number]["names"];

function measureGroups(
  files: MemoryFiles,
  measure: (folder: string, names: GroupFiles) => number,
): readonly number[] {
  const own = readIfReadable(files.own) ?? "";
  return versions.flatMap(({ mount, line, names }) => {
    const path = line.exec(own)?.[1];
    const root = join(files.root, mount);
    return path === undefined ? [] : foldersUpTo(root, join(root, path)).map((each) => measure(each, names));
  });
}

/** Returns the folder and its parents, up to the root. */
function foldersUpTo(root: string, folder: string): string[] {
  return folder.startsWith(`${root}/`) ? [folder, ...foldersUpTo(root, dirname(folder))] : [root];
}

/** Returns a cgroup's limit in bytes; Infinity if it has no limit or cannot be read. */
function limitOf(folder: string, { limit }: Pick<GroupFiles, "limit">): number {
  const most = Number(readIfReadable(join(folder, limit)) ?? Number.NaN);
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

function leftIn(folder: string, { used, cache, ...names }: GroupFiles): number {
  const most = limitOf(folder, names);
  const now = Number(readIfReadable(join(folder, used)) ?? Number.NaN);
  if (Number.isNaN(now)) return Number.POSITIVE_INFINITY;
  const droppable = Number(cache.exec(readIfReadable(join(folder, "memory.stat")) ?? "")?.[1] ?? 0);
  return Math.max(0, most - Math.max(0, now - droppable));
}

function readIfReadable(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
