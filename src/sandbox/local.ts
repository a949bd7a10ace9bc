/** Commands as plain processes of the user. */
import { randomBytes } from "node:crypto";
import { homedir } from "node:os";
import { MillwrightError } from "../base/errors.ts";
import { endOfExitCode, resultBeforeStart } from "./command-end.ts";
import {
  type Command,
  type CommandResult,
  defineSandbox,
  type Sandbox,
  type SandboxLimits,
  type SandboxSpec,
} from "./contract.ts";
import { runHostProcess } from "./host-process.ts";
import { launchArguments, launcherPath } from "./launcher.ts";
import { killProcess, type ProcessEntry, readProcess } from "./process-table.ts";
import { killOrphans, killTree, markerVariable } from "./process-tree.ts";

export default defineSandbox({
  name: "local",
  description:
    "Plain processes of yours: no boundary. Code that runs here can read and write all that you can, and use the network. " +
    "A command's tree is killed when it ends, but a process that hides on purpose may stay.",
  strength: 10,
  boundary: false,
  async probe() {
    if (process.platform !== "linux") {
      return { available: false, reason: "it finds processes through /proc", remedy: "Run it on Linux." };
    }
    return {
      available: true,
      detail: "plain processes",
      warnings: [
        "local is no boundary: commands can read and write all that you can, and use the network",
        "local limits memory for each process alone, and neither CPU nor the number of processes",
      ],
      mounts: "none",
    };
  },
  async open(spec) {
    refuseUnsupported(spec);
    return openLocal(spec);
  },
  sweep: killOrphans,
});

function refuseUnsupported(spec: SandboxSpec): void {
  if (spec.image !== undefined) {
    throw new MillwrightError("sandbox", "The local sandbox cannot run an image.", {
      hint: "Use --sandbox docker.",
    });
  }
  const moved = spec.mounts.find((mount) => mount.mode === "overlay" || mount.source !== mount.target);
  if (moved !== undefined) {
    throw new MillwrightError("sandbox", `The local sandbox cannot show ${moved.source} at ${moved.target}.`);
  }
}

function openLocal(spec: SandboxSpec): Sandbox {
  const running = new Set<ProcessEntry>();
  let isClosed = false;
  return {
    name: "local",
    home: homedir(),
    environment: {},
    async execute(command) {
      if (isClosed) throw new MillwrightError("sandbox", "The sandbox is closed.");
      return resultBeforeStart(command) ?? runLocally(command, spec.owner, spec.limits, running);
    },
    async close() {
      isClosed = true;
      // Each of them is waited for by its `execute`, which kills the rest of its tree.
      for (const root of running) killProcess(root.pid);
    },
  };
}

async function runLocally(
  command: Command,
  owner: string,
  limits: SandboxLimits,
  running: Set<ProcessEntry>,
): Promise<CommandResult> {
  const marker = `${encodeURIComponent(owner)}/${randomBytes(8).toString("hex")}`;
  let root: ProcessEntry | undefined;
  const end = await runHostProcess({
    argv: launchArguments(command, {
      ownsNamespace: false,
      dataBytes: limits.memoryBytes,
      env: { [markerVariable]: marker },
    }),
    env: { PATH: launcherPath, [markerVariable]: marker },
    command,
    onStart(child) {
      root = child.pid === undefined ? undefined : readProcess(child.pid);
      if (root !== undefined) running.add(root);
    },
    async killTree() {
      if (root !== undefined) await killTree(root, marker);
    },
  }).finally(() => {
    if (root !== undefined) running.delete(root);
  });
  return {
    end: end.stop ?? endOfExitCode(end.exitCode, false),
    exitCode: end.stop === undefined ? end.exitCode : null,
    stdout: end.stdout,
    stderr: end.stderr,
    durationMs: end.durationMs,
  };
}
