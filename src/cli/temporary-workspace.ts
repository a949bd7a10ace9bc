import { mkdir, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { lockRun, newRunId } from "../agent/run/run-store.ts";
import { MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { selectSandbox } from "../sandbox/index.ts";
import type { Workspace } from "../workspace/contract.ts";
import { openWorkspace } from "../workspace/open-workspace.ts";
import { runtimeDirectory } from "./runtime-directory.ts";
import { limitsOf } from "./setting-limits.ts";
import { runsDirectoryOf, type Settings } from "./settings.ts";
import { sweepDeadRuns } from "./sweep-runs.ts";

export interface TemporaryWorkspaceOptions {
  readonly repository: string;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

export interface TemporaryWorkspace {
  readonly workspace: Workspace;
  /** The sandbox that was chosen. */
  readonly sandbox: string;
}

/**
 * A private copy of a repository for a command that keeps no run. It lies in a locked folder among the runs, is removed when
 * `work` ends, and by the next command's sweep when this process is killed.
 */
export async function withTemporaryWorkspace<T>(
  { repository, settings, signal }: TemporaryWorkspaceOptions,
  work: (opened: TemporaryWorkspace) => Promise<T>,
): Promise<T> {
  const { provider, availability } = await chooseSandbox(settings.sandbox);
  const runs = runsDirectoryOf(settings, process.env);
  const owner = newRunId(basename(repository), new Date());
  const directory = join(runs, owner);
  await makeTemporaryFolder(runs, directory);
  try {
    lockRun(directory);
    await sweepDeadRuns(runs);
    const workspace = await openWorkspace({
      repository,
      directory,
      runtimeDirectory,
      signal,
      sandbox: {
        provider,
        mounts: availability.mounts,
        owner,
        network: settings.network,
        limits: limitsOf(settings),
        ...(settings.image === undefined ? {} : { image: settings.image }),
      },
    });
    try {
      return await work({ workspace, sandbox: provider.name });
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
    await mkdir(directory);
  } catch (error) {
    throw new MillwrightError("disk", `The folder ${directory} could not be made: ${String(error)}`, {
      cause: error,
      hint: "Free some space or give another folder with --runs-dir.",
    });
  }
}

/** The sandbox of the settings; what was passed over and what it lacks is said on standard error. */
export async function chooseSandbox(name: string): ReturnType<typeof selectSandbox> {
  const chosen = await selectSandbox(name);
  for (const { name: other, reason } of chosen.passedOver)
    process.stderr.write(`note: no ${other} sandbox: ${reason}\n`);
  for (const warning of chosen.availability.warnings) process.stderr.write(`warning: ${warning}\n`);
  return chosen;
}
