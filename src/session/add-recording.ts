/** Adds a run's calls to a recording, to which other runs may add at the same time. */
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinPaces, paceEnd, readPace } from "../agent/record/pace.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";

/**
 * Copies the files from `calls` to `folder`. Equal requests have equal names, and the newest answer counts. Of a pace
 * the newest decisions count, so that they belong to the newest answers. Decisions on steps that only an earlier run
 * executed remain, like answers to requests that only it sent. Throws the system's error.
 */
export async function addRecording(calls: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(calls, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const [from, to] = [join(calls, entry.name), join(folder, entry.name)];
    const content = await readFile(from);
    const isPace = entry.name.endsWith(paceEnd);
    const joined = isPace ? joinPaces(readPace(to) ?? "", content.toString("utf8")) : content;
    await writeFileAtomically(to, joined);
  }
}
