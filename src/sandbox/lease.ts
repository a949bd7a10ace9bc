/** The holder of a sandbox's objects: the run, and the process whose end makes them leftovers. */
import { readFileSync, readlinkSync } from "node:fs";
import { readProcess } from "./process-table.ts";

/**
 * The lease of this process, `PID-START-NAMESPACE-BOOT`: a process id can occur again, in another PID namespace or
 * after the next boot.
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
 * True if the process with this lease has ended, and the run is not alive otherwise. Objects of another PID namespace
 * of this boot stay: we cannot see whether their process lives.
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
