/** Runs commands in namespaces made by bubblewrap: no daemon, one sandbox process per command. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { runProcess } from "../base/process.ts";
import { countsProcessesPerNamespace } from "./bubblewrap-command.ts";
import { buildFolderLayer, openBubblewrap } from "./bubblewrap-open.ts";
import { type Availability, defineSandbox, type Mount } from "./contract.ts";
import { describeLimits, findHierarchies, limitWarnings, sweepGroups } from "./control-groups.ts";
import { folderImages } from "./folder-images.ts";
import { reportDiskErrors } from "./sandbox-life.ts";
import { filterPath, withoutFilter } from "./seccomp.ts";

export default defineSandbox({
  name: "bubblewrap",
  description:
    "Linux namespaces through bubblewrap: no network by default, the host's toolchain read-only, and of your own files only the " +
    "repository. Like a container, a sandbox shares the host's kernel.",
  strength: 50,
  boundary: true,
  probe,
  images: folderImages(buildFolderLayer),
  open: (spec) => reportDiskErrors(openBubblewrap(spec)),
  async sweep(isAlive) {
    return sweepGroups(await findHierarchies(), isAlive);
  },
});

async function probe(): Promise<Availability> {
  const version = await runProcess(["bwrap", "--version"], { timeoutMs: 5000 });
  if (version.exitCode !== 0) {
    return {
      available: false,
      reason: "the program bwrap is not installed",
      remedy: "Install bubblewrap with your package manager (Debian: `apt install bubblewrap`).",
    };
  }
  // A sandbox that opens with an overlay also opens without one, so most machines need one attempt.
  const hasOverlays = (await tryOverlay()) === undefined;
  const problem = hasOverlays ? undefined : await tryToOpen([]);
  if (problem !== undefined) {
    return {
      available: false,
      reason: problem,
      remedy:
        "Allow user namespaces (sysctl kernel.unprivileged_userns_clone or user.max_user_namespaces), or use docker.",
    };
  }
  const hierarchies = await findHierarchies();
  return {
    available: true,
    detail: `${renderOutput(version.stdout).trim()}, ${describeLimits(hierarchies)}`,
    warnings: [
      ...limitWarnings(hierarchies, countsProcessesPerNamespace ? ["pids"] : []),
      ...(filterPath() === undefined ? [withoutFilter] : []),
    ],
    mounts: hasOverlays ? "overlay" : "bind",
  };
}

/** Tries to open a sandbox with these mounts. Returns the reason why it does not open; undefined if it does. */
async function tryToOpen(mounts: readonly Mount[]): Promise<string | undefined> {
  const stateDirectory = await mkdtemp(join(tmpdir(), "millwright-probe-"));
  try {
    const limits = { memoryBytes: 256 * 1024 * 1024, cpus: 1, processes: 64 };
    const spec = { owner: "probe", mounts, stateDirectory, network: false, limits };
    await (await openBubblewrap(spec)).close();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await rm(stateDirectory, { recursive: true, force: true });
  }
}

async function tryOverlay(): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "millwright-probe-"));
  try {
    return await tryToOpen([{ mode: "overlay", source: "/usr", changes: folder, target: "/mnt/overlay" }]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
