import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunAlive, listRunIds } from "../agent/run/run-store.ts";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { sandboxes } from "../sandbox/index.ts";
import { recoverApply } from "../workspace/apply-journal.ts";
import { removeCheckouts } from "../workspace/open-workspace.ts";

export interface Swept {
  /** One line for each removal or change. */
  readonly done: readonly string[];
  /** One line for each half-written patch that can neither be completed nor reverted. */
  readonly left: readonly string[];
}

/**
 * Removes containers, mounts and working folders of runs whose process has ended. Keeps their trees for `resume`.
 * Completes or reverts half-written patches.
 */
export async function sweepDeadRuns(runsDirectory: string): Promise<Swept> {
  const isAlive = (owner: string): boolean => isRunAlive(join(runsDirectory, owner));
  const done: string[] = [];
  const left: string[] = [];
  for (const provider of sandboxes) done.push(...(await provider.sweep(isAlive)));
  for (const id of await listRunIds(runsDirectory)) {
    if (isAlive(id)) continue;
    const workspace = join(runsDirectory, id, "workspace");
    try {
      const recovered = await recoverApply(workspace);
      if (recovered !== undefined) done.push(recovered);
    } catch (error) {
      // The patch of one run, for example in a read-only folder, keeps no other run from its work.
      if (!(error instanceof MillwrightError) && !isSystemError(error)) throw error;
      left.push(`a half-written patch is left, see ${workspace}: ${error.message}`);
    }
    const checkouts = join(workspace, "checkouts");
    if (!existsSync(checkouts)) continue;
    await removeCheckouts(checkouts);
    done.push(checkouts);
  }
  done.push(...(await sweepTemporaryFolders(runsDirectory)));
  return { done, left };
}

/** Removes folders of commands that keep no run. Such a folder has a lock file and no description. */
async function sweepTemporaryFolders(runsDirectory: string): Promise<string[]> {
  if (!existsSync(runsDirectory)) return [];
  const folders = (await readdir(runsDirectory)).map((name) => join(runsDirectory, name));
  const dead = folders.filter(
    (folder) =>
      existsSync(join(folder, "lock")) && !existsSync(join(folder, "run.json")) && !isRunAlive(folder),
  );
  for (const folder of dead) {
    await removeCheckouts(join(folder, "checkouts"));
    await rm(folder, { recursive: true, force: true });
  }
  return dead;
}
