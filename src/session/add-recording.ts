/** Adds a run's calls to a recording, to which other runs may add at the same time. */
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { joinPaces, paceEnd, readPace } from "../agent/record/pace.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { isSystemError } from "../base/errors.ts";

/**
 * Copies recorded calls from `calls` to `folder`. For equal requests, replaces the older answer. For each step,
 * replaces the older pace decisions: they must match the answers. Keeps older answers and decisions without a newer
 * version. Throws the operating system's errors.
 */
export async function addRecording(calls: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(calls, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const [from, to] = [join(calls, entry.name), join(folder, entry.name)];
    const content = await readFile(from);
    if (!entry.name.endsWith(paceEnd)) await writeFileAtomically(to, content);
    else
      await whileLocked(to, async () => {
        await writeFileAtomically(to, joinPaces(readPace(to) ?? "", content.toString("utf8")));
      });
  }
}

/** Milliseconds between two attempts. `abandonedMs`: age of a lock at which its process counts as ended. */
const wait = { ms: 20, abandonedMs: 10_000 };

/**
 * Performs `work` under a lock. Otherwise, two runs that end at the same time would both extend the same older text.
 * One of them would lose its addition.
 */
async function whileLocked(path: string, work: () => Promise<void>): Promise<void> {
  const lock = `${path}.lock`;
  while (!(await isTaken(lock))) await sleep(wait.ms);
  await work().finally(() => rm(lock, { recursive: true, force: true }));
}

async function isTaken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch (error) {
    if (!isSystemError(error, "EEXIST")) throw error;
  }
  const since = await stat(lock).then(
    ({ mtimeMs }) => mtimeMs,
    () => Date.now(),
  );
  if (Date.now() - since > wait.abandonedMs) await rm(lock, { recursive: true, force: true });
  return false;
}
