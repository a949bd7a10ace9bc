import { readFileSync } from "node:fs";

/**
 * Reads the fields of `/proc/PID/stat` from the third on (proc(5): state, parent, group …). Undefined if the process no
 * longer exists.
 */
export function readProcessFields(pid: number): readonly string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name may contain spaces and brackets, so fields are counted from its last bracket.
    return text.slice(text.lastIndexOf(")") + 2).split(" ");
  } catch {
    return undefined;
  }
}

/**
 * True if the process has ended, but its parent has not read its exit status yet. `fields`: from `readProcessFields`.
 */
export function isZombie(fields: readonly string[]): boolean {
  return fields[0] === "Z" || fields[0] === "X";
}

/**
 * Reads the start time of a process, in the kernel's clock ticks since boot. Time and process id together identify a
 * process, even if the system reuses the id. Undefined if the process does not exist or is a zombie.
 */
export function processStartTime(pid: number): string | undefined {
  const fields = readProcessFields(pid);
  return fields === undefined || isZombie(fields) ? undefined : fields[19];
}
