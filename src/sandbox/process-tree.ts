/** Finds and kills all processes of a command, without a PID namespace or a control group. */
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { MillwrightError } from "../base/errors.ts";
import { isAbandoned, ownLease } from "./lease.ts";
import { killProcess, listProcesses, type ProcessEntry, readVariable } from "./process-table.ts";

/**
 * A variable in the environment of each command of `local`, and so of its children. Its value is `OWNER/LEASE/RANDOM`,
 * with the owner percent-encoded.
 */
export const markerVariable = "MILLWRIGHT_COMMAND_OWNER";

/** Milliseconds after which Millwright abandons a process tree that does not end. */
const killLimitMs = 10_000;

/**
 * Kills the tree of `root` (a session leader), and returns once all its processes are gone. Throws
 * MillwrightError("sandbox") if some do not die in time. The tree contains:
 * - descendants of `root`
 * - processes in a session or group of `root` or of a descendant
 * - processes with the marker
 * - processes that `listMore` names
 *
 * Without `listMore`, misses a process if all of this is true:
 * - it dropped the marker
 * - it left its session
 * - its parent ended earlier
 */
export async function killTree(
  root: ProcessEntry,
  marker: string,
  listMore: () => Promise<readonly number[]>,
): Promise<void> {
  const members = new Set<number>([root.pid]);
  const outsiders = new Set<number>([process.pid, process.ppid]);
  for (let waited = 0; waited < killLimitMs; waited += 10) {
    for (const pid of await listMore()) members.add(pid);
    const all = listProcesses().filter((entry) => entry.startTime >= root.startTime);
    const found = findMembers(all, members, outsiders, marker);
    if (found.length === 0) return;
    for (const entry of found) killProcess(entry.pid);
    await delay(10);
  }
  throw new MillwrightError(
    "sandbox",
    `Some processes of a command cannot be killed. The command's processes: ${[...members].join(", ")}.`,
    {
      hint: "Check them with ps: a process in state D waits for a device or a network file system.",
    },
  );
}

/** Adds the processes of the tree to `members` until there are no more. Returns those that are alive. */
function findMembers(
  all: readonly ProcessEntry[],
  members: Set<number>,
  outsiders: ReadonlySet<number>,
  marker: string,
): ProcessEntry[] {
  const candidates = all.filter((entry) => !outsiders.has(entry.pid));
  for (const entry of candidates) {
    if (!members.has(entry.pid) && readVariable(entry.pid, markerVariable) === marker) members.add(entry.pid);
  }
  for (let before = -1; before !== members.size; ) {
    before = members.size;
    for (const { pid, parent, group, session } of candidates) {
      if (members.has(parent) || members.has(group) || members.has(session)) members.add(pid);
    }
  }
  return candidates.filter((entry) => members.has(entry.pid));
}

/** Makes a unique marker for a command. */
export function makeMarker(owner: string): string {
  return `${encodeURIComponent(owner)}/${ownLease}/${randomBytes(8).toString("hex")}`;
}

/** Kills every process of abandoned commands. Returns a text for people about each killed process. */
export async function killOrphans(isAlive: (owner: string) => boolean): Promise<string[]> {
  const killed: string[] = [];
  for (let waited = 0; waited < killLimitMs; waited += 10) {
    const found = listProcesses().filter(({ pid }) => {
      return pid !== process.pid && isAbandonedMarker(readVariable(pid, markerVariable), isAlive);
    });
    if (found.length === 0) break;
    for (const { pid } of found) {
      killProcess(pid);
      killed.push(`process ${pid}`);
    }
    await delay(10);
  }
  return [...new Set(killed)];
}

function isAbandonedMarker(marker: string | undefined, isAlive: (owner: string) => boolean): boolean {
  const [owner, lease, random] = marker?.split("/") ?? [];
  if (owner === undefined || lease === undefined || random === undefined) return false;
  return isAbandoned(decodeURIComponent(owner), lease, isAlive);
}
