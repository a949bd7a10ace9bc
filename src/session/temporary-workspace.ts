import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { lockRun, newRunId } from "../agent/run/run-store.ts";
import { MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import type { Workspace } from "../workspace/contract.ts";
import type { Host } from "./host.ts";
import { chooseSandbox, openSessionWorkspace, sandboxOf, sandboxRulesOf } from "./open-workspace.ts";
import { runsDirectoryOf, type Settings } from "./settings.ts";
import { sweepDeadRuns } from "./sweep-runs.ts";

export interface TemporaryWorkspaceOptions {
  readonly host: Host;
  readonly repository: string;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

export interface TemporaryWorkspace {
  readonly workspace: Workspace;
  /** The chosen sandbox. */
  readonly sandbox: string;
}

/**
 * Gives `work` a private copy of a repository, for a command that keeps no run. The copy is in a locked folder among
 * the runs. Removes the copy when `work` ends. After a kill of this process, the next command's sweep removes it.
 */
export async function withTemporaryWorkspace<T>(
  { host, repository, settings, signal }: TemporaryWorkspaceOptions,
  work: (opened: TemporaryWorkspace) => Promise<T>,
): Promise<T> {
  const chosen = await chooseSandbox(settings.sandbox, host);
  const runs = runsDirectoryOf(settings, host.environment);
  const owner = newRunId(basename(repository), new Date());
  const directory = join(runs, owner);
  await makeTemporaryFolder(runs, directory);
  try {
    lockRun(directory);
    await sweepDeadRuns(runs);
    const workspace = await openSessionWorkspace({
      ...{ host, repository, directory, signal },
      sandbox: sandboxOf(chosen, sandboxRulesOf(settings), owner),
      withoutSecrets: settings.model === "none" ? undefined : { shared: settings.share ?? [] },
    });
    try {
      return await work({ workspace, sandbox: chosen.provider.name });
    } finally {
      await workspace.close();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function makeTemporaryFolder(runs: string, directory: string): Promise<void> {
  try {
    await makeFolders(runs);
    await mkdir(directory, { mode: 0o700 });
  } catch (error) {
    throw new MillwrightError("disk", `Millwright cannot create the folder ${directory}: ${String(error)}`, {
      cause: error,
      hint: "Free disk space, or choose another folder for runs.",
    });
  }
}
