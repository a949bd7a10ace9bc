import { readFileSync } from "node:fs";

/**
 * When a process started, in the kernel's clock ticks since boot; with its number this names one process for ever.
 * undefined when there is no such process (a zombie counts as none).
 */
export function processStartTime(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name may hold spaces and brackets: the fields are counted from its last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
