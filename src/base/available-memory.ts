/** Measures the memory that this process can still get: the machine's, and that of its container. */
import { readFileSync } from "node:fs";
import { freemem } from "node:os";
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
  /** The mounted cgroups. */
  readonly root: string;
  /** The file that names the process's own cgroups. */
  readonly own: string;
}

const systemFiles: MemoryFiles = { root: "/sys/fs/cgroup", own: "/proc/self/cgroup" };

/**
 * Bytes that are free on the machine, and in each cgroup around this process (a container, a pod, a service). As
 * Kubernetes does, does not count file cache that the kernel drops on demand as used.
 */
export function availableMemory(files: MemoryFiles = systemFiles, ofMachine = freemem()): number {
  const own = readIfReadable(files.own) ?? "";
  const left = versions.flatMap(({ mount, line, names }) => {
    const path = line.exec(own)?.[1];
    const root = join(files.root, mount);
    return path === undefined ? [] : foldersUpTo(root, join(root, path)).map((each) => leftIn(each, names));
  });
  return Math.min(ofMachine, ...left);
}

/** The folder and its parents, up to the root. */
function foldersUpTo(root: string, folder: string): string[] {
  return folder.startsWith(`${root}/`) ? [folder, ...foldersUpTo(root, dirname(folder))] : [root];
}

/** Infinity for a cgroup without a limit, or one that cannot be read. */
function leftIn(folder: string, { limit, used, cache }: (typeof versions)[number]["names"]): number {
  const [most, now] = [limit, used].map((name) => Number(readIfReadable(join(folder, name)) ?? Number.NaN));
  if (most === undefined || now === undefined || Number.isNaN(most) || Number.isNaN(now))
    return Number.POSITIVE_INFINITY;
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
