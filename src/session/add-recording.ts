/** Adds a run's calls to a recording, to which other runs may add at the same time. */
import { statSync } from "node:fs";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { paceEnd } from "../agent/record/pace.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";

/**
 * Copies the files from `calls` to `folder`. Equal requests have equal names, and the newest answer counts. A shorter
 * pace does not replace a longer one, because it may come from a run that ended early. Throws the system's error.
 */
export async function addRecording(calls: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const entry of await readdir(calls, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const [from, to] = [join(calls, entry.name), join(folder, entry.name)];
    const content = await readFile(from);
    if (entry.name.endsWith(paceEnd) && (statSync(to, { throwIfNoEntry: false })?.size ?? 0) > content.length)
      continue;
    await writeFileAtomically(to, content);
  }
}
