import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { isRunAlive, listRunIds } from "../agent/run/run-store.ts";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { sandboxes } from "../sandbox/index.ts";
import { recoverApply } from "../workspace/apply-journal.ts";
import { removeCheckouts } from "../workspace/open-workspace.ts";

/**
 * Removes containers, mounts and working folders of runs whose process has ended. Keeps their trees for `resume`.
 * Completes or reverts half-written patches. Returns one line for each removal or change, and for each patch that it
 * can neither complete nor revert.
 */
export async function sweepDeadRuns(runsDirectory: string): Promise<readonly string[]> {
  const isAlive = (owner: string): boolean => isRunAlive(join(runsDirectory, owner));
  const swept: string[] = [];
  for (const provider of sandboxes) swept.push(...(await provider.sweep(isAlive)));
  for (const id of await listRunIds(runsDirectory)) {
    if (isAlive(id)) continue;
    const workspace = join(runsDirectory, id, "workspace");
    const recovered = await recoverIfPossible(workspace);
    if (recovered !== undefined) swept.push(recovered);
    const checkouts = join(workspace, "checkouts");
    if (!existsSync(checkouts)) continue;
    await removeCheckouts(checkouts);
    swept.push(checkouts);
  }
  swept.push(...(await sweepTemporaryFolders(runsDirectory)));
  return swept;
}

/** Begins the line about a patch that can neither be completed nor reverted. */
export const unfinished = "a half-written patch is left";

/** A half-written patch that cannot be completed, for example in a read-only folder, keeps no other run from its work. */
async function recoverIfPossible(workspace: string): Promise<string | undefined> {
  try {
    return await recoverApply(workspace);
  } catch (error) {
    if (!(error instanceof MillwrightError) && !isSystemError(error)) throw error;
    return `${unfinished}, see ${workspace}: ${error.message}`;
  }
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
