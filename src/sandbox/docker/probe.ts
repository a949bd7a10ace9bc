import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import type { Availability, Mount, Sandbox, SandboxSpec } from "../contract.ts";
import { ask, connectDocker, mayHaveDaemon } from "./client.ts";

interface DaemonInfo {
  readonly ServerVersion: string;
  readonly CgroupVersion?: string;
  readonly MemoryLimit: boolean;
  readonly PidsLimit: boolean;
  readonly CpuCfsQuota: boolean;
}

/** Checks whether Docker works: opens a sandbox with an overlay or, if this fails, without an overlay. */
export async function probeDocker(open: (spec: SandboxSpec) => Promise<Sandbox>): Promise<Availability> {
  try {
    if (!mayHaveDaemon()) throw new Error("Docker: there is no daemon");
    const docker = await connectDocker();
    const info = (await ask("looking for the daemon", docker.info(), { limitMs: 5000 })) as DaemonInfo;
    const mounts = (await canOpen(open, true)) ? "overlay" : "bind";
    if (mounts === "bind") await tryToOpen(open, false);
    return {
      available: true,
      detail: `Docker ${info.ServerVersion}, control groups version ${info.CgroupVersion ?? "1"}`,
      warnings: limitWarnings(info),
      mounts,
    };
  } catch (error) {
    return {
      available: false,
      reason: error instanceof Error ? error.message : String(error),
      remedy:
        "Install Docker and start its daemon on this machine (Debian: `apt install docker.io`), and join the group docker.",
    };
  }
}

/** Returns warnings about limits that Docker's kernel does not support, because Docker ignores these limits. */
function limitWarnings(info: DaemonInfo): string[] {
  const missing = [
    ...(info.MemoryLimit ? [] : ["memory"]),
    ...(info.PidsLimit ? [] : ["processes"]),
    ...(info.CpuCfsQuota ? [] : ["CPU"]),
  ];
  return missing.length === 0 ? [] : [`this Docker daemon cannot limit ${missing.join(", ")}`];
}

async function canOpen(open: (spec: SandboxSpec) => Promise<Sandbox>, overlay: boolean): Promise<boolean> {
  return tryToOpen(open, overlay).then(
    () => true,
    (error: unknown) => {
      if (error instanceof MillwrightError) return false;
      throw error;
    },
  );
}

async function tryToOpen(open: (spec: SandboxSpec) => Promise<Sandbox>, overlay: boolean): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "millwright-probe-"));
  try {
    const mounts: Mount[] = overlay
      ? [{ mode: "overlay", source: "/usr", changes: join(folder, "changes"), target: "/mnt/overlay" }]
      : [];
    const limits = { memoryBytes: 256 * 1024 * 1024, cpus: 1, processes: 64 };
    const spec = { owner: "probe", mounts, stateDirectory: folder, network: false, limits };
    await (await open(spec)).close();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
