/** Reads the processes of this machine from /proc. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { isZombie, readProcessFields } from "../base/process-identity.ts";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The start time, in clock ticks after boot. */
  readonly startTime: number;
  readonly isZombie: boolean;
}

/** Reads the entry of a process; undefined if the process is gone. */
export function readProcess(pid: number): ProcessEntry | undefined {
  const fields = readProcessFields(pid);
  if (fields === undefined) return undefined;
  return {
    pid,
    isZombie: isZombie(fields),
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    startTime: Number(fields[19]),
  };
}

/** Lists all processes except zombies. */
export function listProcesses(): ProcessEntry[] {
  const found: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const entry = readProcess(Number(name));
    if (entry !== undefined && !entry.isZombie) found.push(entry);
  }
  return found;
}

/** Returns the value that the variable had when the process started; undefined if unset or unreadable. */
export function readVariable(pid: number, name: string): string | undefined {
  try {
    const prefix = `${name}=`;
    const variables = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
    return variables.find((variable) => variable.startsWith(prefix))?.slice(prefix.length);
  } catch {
    return undefined;
  }
}

export function killProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // gone already
  }
}

/** Waits until the process is gone, at most `limitMs` milliseconds. Returns true if it is gone. */
export async function waitForEnd(entry: ProcessEntry, limitMs: number): Promise<boolean> {
  for (let waited = 0; waited < limitMs; waited += 5) {
    const now = readProcess(entry.pid);
    if (now === undefined || now.isZombie || now.startTime !== entry.startTime) return true;
    await delay(5);
  }
  return false;
}
