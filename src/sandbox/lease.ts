/**
 * The lease of a sandbox's control groups, processes and containers: it identifies the Millwright process that created
 * them. If this process has ended and no other process continues the run, these objects are leftovers, and Millwright
 * removes them.
 */
import { readFileSync, readlinkSync } from "node:fs";
import { readProcess } from "./process-table.ts";

/**
 * The lease of this process, `PID-START-NAMESPACE-BOOT`. A process id alone does not identify a process. The id can
 * occur again later, in another PID namespace, or after the next boot.
 */
export const ownLease: string = formatLease();

function formatLease(): string {
  const start = readProcess(process.pid)?.startTime ?? 0;
  return [process.pid, start, namespaceOf(), bootOf()].join("-");
}

function namespaceOf(): string {
  try {
    return /\d+/.exec(readlinkSync("/proc/self/ns/pid"))?.[0] ?? "";
  } catch {
    return "";
  }
}

function bootOf(): string {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").slice(0, 8);
  } catch {
    return "";
  }
}

/**
 * True if the process with this lease has ended, and no other process continues the owner's run. False for a lease from
 * another PID namespace of this boot, because we cannot see whether that process still runs.
 */
export function isAbandoned(owner: string, lease: string, isAlive: (owner: string) => boolean): boolean {
  return !isHeld(lease) && !isAlive(owner);
}

function isHeld(lease: string): boolean {
  const [pid = "", start, namespace, boot] = lease.split("-");
  if (boot !== bootOf()) return false;
  if (namespace !== namespaceOf()) return true;
  const holder = readProcess(Number(pid));
  return holder !== undefined && !holder.isZombie && String(holder.startTime) === start;
}
