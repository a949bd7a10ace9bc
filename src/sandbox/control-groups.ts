/** Control groups (versions 1 and 2), each for one command: its limits, its processes, and whether memory ran out. */
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MillwrightError } from "../base/errors.ts";
import type { SandboxLimits } from "./contract.ts";
import { isAbandoned, ownLease } from "./lease.ts";
import { killProcess } from "./process-table.ts";

/** A hierarchy in which we can create groups: all controllers of version 2, or one controller of version 1. */
export interface Hierarchy {
  readonly version: 1 | 2;
  /** The group in which we create ours. */
  readonly parent: string;
  readonly controllers: readonly Controller[];
}

const controllers = ["memory", "pids", "cpu"] as const;
export type Controller = (typeof controllers)[number];

export interface CommandGroup {
  /** The program and arguments before a command. They enter the group first, and then start the command. */
  readonly enter: readonly string[];
  /** The resources that the group limits. */
  readonly limits: readonly Controller[];
  /** Returns the ids of the group's processes. */
  members(): Promise<number[]>;
  /** Returns the number of the group's processes that the kernel killed for memory. */
  memoryKills(): Promise<number>;
  /** Removes the group. Its processes must be gone. */
  remove(): Promise<void>;
}

// Arguments: the number of files, the files to which a process writes 0 to enter, a program with its arguments.
const enterScript = `
count=$1; shift
while [ "$count" -gt 0 ]; do
  echo 0 >"$1" || exit 1
  shift; count=$((count - 1))
done
exec "$@"`;

function enterGroup(entrances: readonly string[]): string[] {
  if (entrances.length === 0) return [];
  return ["/bin/sh", "-c", enterScript, "millwright", String(entrances.length), ...entrances];
}

const namePrefix = "millwright-";

const known = new Map<string, Promise<readonly Hierarchy[]>>();

/**
 * Finds hierarchies in which this process can create groups. Caches the result, and tries again only if the process has
 * been moved to other groups.
 */
export async function findHierarchies(): Promise<readonly Hierarchy[]> {
  const membership = await readFile("/proc/self/cgroup", "utf8").catch(() => "");
  const found = known.get(membership) ?? tryHierarchies("/sys/fs/cgroup", membership);
  known.set(membership, found);
  return found;
}

/**
 * Tries the hierarchies; empty without the rights. `root`: the mount point of control groups. `membership`: the content
 * of /proc/self/cgroup.
 */
async function tryHierarchies(root: string, membership: string): Promise<readonly Hierarchy[]> {
  const lines = membership
    .trim()
    .split("\n")
    .map((line) => line.split(":"))
    .map(([, names = "", ...path]) => ({ names: names.split(","), path: path.join(":") }));
  const found: Hierarchy[] = [];
  for (const { names, path } of lines) {
    const unified = names[0] === "";
    const wanted = controllers.filter((name) => unified || names.includes(name));
    const mount = unified ? root : join(root, names.join(","));
    if (wanted.length === 0 || (unified && !existsSync(join(root, "cgroup.controllers")))) continue;
    const hierarchy = await tryParents(unified ? 2 : 1, mount, path, wanted);
    if (hierarchy !== undefined) found.push(hierarchy);
  }
  return found;
}

/**
 * Tries our own group, so that limits set on us apply, and then its ancestors from the nearest. Returns the first one
 * that works.
 */
async function tryParents(
  version: 1 | 2,
  mount: string,
  path: string,
  wanted: readonly Controller[],
): Promise<Hierarchy | undefined> {
  const below: string[] = [];
  // A path with ".." is outside this namespace's view.
  const own = path.includes("..") ? "/" : path;
  for (let folder = own; folder !== "/" && folder !== "."; folder = dirname(folder)) below.push(folder);
  for (const folder of [...below, ""]) {
    const parent = join(mount, folder);
    const trial = join(parent, `${namePrefix}trial.${randomBytes(8).toString("hex")}`);
    if (version === 2) await enableControllers(parent);
    const isMade = await mkdir(trial).then(
      () => true,
      () => false,
    );
    if (!isMade) continue;
    const usable = wanted.filter((name) => existsSync(join(trial, limitFile(version, name))));
    await rmdir(trial);
    if (usable.length > 0) return { version, parent, controllers: usable };
  }
  return undefined;
}

/**
 * Tries to enable the controllers for child groups. Changes nothing if processes are in the group itself, or without
 * the rights: the trial's group then has no limit files.
 */
async function enableControllers(parent: string): Promise<void> {
  for (const name of controllers) {
    await writeFile(join(parent, "cgroup.subtree_control"), `+${name}`).catch(() => {});
  }
}

function limitFile(version: 1 | 2, controller: Controller): string {
  if (controller === "memory") return version === 2 ? "memory.max" : "memory.limit_in_bytes";
  if (controller === "cpu") return version === 2 ? "cpu.max" : "cpu.cfs_quota_us";
  return "pids.max";
}

/** Describes the limits that the hierarchies enforce, as a text for people. */
export function describeLimits(hierarchies: readonly Hierarchy[]): string {
  const limited = limitedBy(hierarchies);
  return limited.length > 0 ? `limits by control groups (${limited.join(", ")})` : "without control groups";
}

/**
 * Returns warnings for limits that neither control groups nor other means enforce. `others`: limits that other means
 * enforce.
 */
export function limitWarnings(
  hierarchies: readonly Hierarchy[],
  others: readonly Controller[] = [],
): string[] {
  const limited = [...limitedBy(hierarchies), ...others];
  const warnings: Record<Controller, string> = {
    memory:
      "memory is limited only per process (RLIMIT_DATA), because no control group can be created for it",
    pids: "the number of processes is not limited, because no control group can be created for it",
    cpu: "CPU use is not limited, because no control group can be created for it",
  };
  return controllers.filter((name) => !limited.includes(name)).map((name) => warnings[name]);
}

function limitedBy(hierarchies: readonly Hierarchy[]): Controller[] {
  return hierarchies.flatMap((hierarchy) => hierarchy.controllers);
}

/**
 * Creates a group with these limits in each hierarchy. The group's name contains `owner` and our lease. Throws
 * MillwrightError("sandbox") if a group cannot be created.
 */
export async function createGroup(
  hierarchies: readonly Hierarchy[],
  owner: string,
  limits: SandboxLimits,
): Promise<CommandGroup> {
  const name = `${namePrefix}${encodeURIComponent(owner)}.${ownLease}.${randomBytes(8).toString("hex")}`;
  const groups = hierarchies.map((hierarchy) => ({ hierarchy, folder: join(hierarchy.parent, name) }));
  const removeAll = async (): Promise<void> => {
    await Promise.all(groups.map(({ folder }) => removeGroup(folder)));
  };
  try {
    for (const { hierarchy, folder } of groups) await makeGroup(hierarchy, folder, limits);
  } catch (cause) {
    await removeAll();
    throw new MillwrightError("sandbox", "Cannot create a control group for a command.", { cause });
  }
  const memory = groups.find(({ hierarchy }) => hierarchy.controllers.includes("memory"));
  return {
    enter: enterGroup(groups.map(({ folder }) => join(folder, "cgroup.procs"))),
    limits: limitedBy(hierarchies),
    async members() {
      const lists = await Promise.all(groups.map(({ folder }) => readMembers(folder)));
      return [...new Set(lists.flat())];
    },
    async memoryKills() {
      if (memory === undefined) return 0;
      const file = memory.hierarchy.version === 2 ? "memory.events" : "memory.oom_control";
      const text = await readFile(join(memory.folder, file), "utf8").catch(() => "");
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0);
    },
    remove: removeAll,
  };
}

async function makeGroup(hierarchy: Hierarchy, folder: string, limits: SandboxLimits): Promise<void> {
  await mkdir(folder);
  for (const [file, value] of limitValues(hierarchy, limits)) {
    // Swap accounting is optional in both versions.
    await writeFile(join(folder, file), value).catch((error: unknown) => {
      if (!file.includes("sw")) throw error;
    });
  }
}

function limitValues({ version, controllers: usable }: Hierarchy, limits: SandboxLimits): [string, string][] {
  const period = 100_000; // µs, the kernel's default
  const quota = Math.max(1000, Math.round(limits.cpus * period)); // the kernel takes no less than 1 ms
  const bytes = String(limits.memoryBytes);
  const values: Record<Controller, [string, string][]> = {
    memory:
      version === 2
        ? [
            ["memory.max", bytes],
            ["memory.swap.max", "0"],
          ]
        : [
            ["memory.limit_in_bytes", bytes],
            ["memory.memsw.limit_in_bytes", bytes],
          ],
    pids: [["pids.max", String(limits.processes)]],
    cpu:
      version === 2
        ? [["cpu.max", `${quota} ${period}`]]
        : [
            ["cpu.cfs_period_us", String(period)],
            ["cpu.cfs_quota_us", String(quota)],
          ],
  };
  return usable.flatMap((controller) => values[controller]);
}

async function readMembers(folder: string): Promise<number[]> {
  const text = await readFile(join(folder, "cgroup.procs"), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean).map(Number);
}

/** Removes a group. Retries, because the kernel frees a group shortly after its last process. Returns true if the group is gone. */
async function removeGroup(folder: string): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    try {
      await rmdir(folder);
      return true;
    } catch {
      if (!existsSync(folder)) return true;
      await delay(10);
    }
  }
  return false;
}

/** Removes abandoned groups, and kills their processes. Returns the folders of the removed groups. */
export async function sweepGroups(
  hierarchies: readonly Hierarchy[],
  isAlive: (owner: string) => boolean,
): Promise<string[]> {
  const removed: string[] = [];
  for (const { parent } of hierarchies) {
    for (const name of await readdir(parent)) {
      if (!isAbandonedGroup(name, isAlive)) continue;
      const folder = join(parent, name);
      for (const pid of await readMembers(folder)) killProcess(pid);
      if (await removeGroup(folder)) removed.push(folder);
    }
  }
  return removed;
}

function isAbandonedGroup(name: string, isAlive: (owner: string) => boolean): boolean {
  const [, owner, lease] = new RegExp(`^${namePrefix}(.+)\\.([0-9a-f-]+)\\.[0-9a-f]{16}$`).exec(name) ?? [];
  if (owner === undefined || lease === undefined) return false;
  return isAbandoned(decodeURIComponent(owner), lease, isAlive);
}
