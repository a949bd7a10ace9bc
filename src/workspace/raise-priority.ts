/** Gives a command and all processes that it started the priority of this process. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/**
 * Gives the processes with this word among their arguments, and their descendants, the priority of this process. Only
 * Linux's superuser may raise a priority: for other users, and on other systems, this function changes nothing.
 */
export function raisePriority(word: string): void {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return;
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const raised = new Set(ids.filter((id) => read(id, "cmdline").split("\0").includes(word)));
  const children = Map.groupBy(ids, parentOf);
  // A set's loop reaches what is added meanwhile.
  for (const id of raised) for (const child of children.get(id) ?? []) raised.add(child);
  const priority = getPriority();
  for (const id of raised) raise(id, priority);
}

/**
 * Returns the parent's id. It follows the state, and the command's name, which can itself contain parentheses and
 * spaces.
 */
function parentOf(id: string): string {
  return /^.*\) \S+ (\d+)/s.exec(read(id, "stat"))?.[1] ?? "";
}

/** Raises the priority of a process. Each thread has a priority of its own. A process can end at any moment. */
function raise(id: string, priority: number): void {
  try {
    writeFileSync(`/proc/${id}/autogroup`, String(priority));
  } catch {}
  try {
    for (const thread of readdirSync(`/proc/${id}/task`)) setPriority(Number(thread), priority);
  } catch {}
}

function read(id: string, name: string): string {
  try {
    return readFileSync(`/proc/${id}/${name}`, "utf8");
  } catch {
    return "";
  }
}
