/** Runs commands as plain processes of the user, without isolation. */
import { homedir } from "node:os";
import { MillwrightError } from "../base/errors.ts";
import { endOfExitCode } from "./command-end.ts";
import type { CommandPipes } from "./command-pipes.ts";
import {
  type Command,
  type CommandResult,
  defineSandbox,
  type Sandbox,
  type SandboxSpec,
} from "./contract.ts";
import {
  createGroup,
  describeLimits,
  findHierarchies,
  type Hierarchy,
  limitWarnings,
  sweepGroups,
} from "./control-groups.ts";
import { runHostProcess } from "./host-process.ts";
import { launchArguments, launcherPath } from "./launcher.ts";
import { type ProcessEntry, readProcess } from "./process-table.ts";
import { killOrphans, killTree, makeMarker, markerVariable } from "./process-tree.ts";
import { createSandbox } from "./sandbox-life.ts";

export default defineSandbox({
  name: "local",
  description:
    "Plain processes without isolation. Code that runs here can read and write everything that you can, and use the network. " +
    "When a command ends, Millwright kills its whole process tree. With control groups, this includes processes that hide.",
  strength: 10,
  boundary: false,
  async probe() {
    if (process.platform !== "linux") {
      return {
        available: false,
        reason: "it needs /proc to find processes",
        remedy: "Run Millwright on Linux.",
      };
    }
    const hierarchies = await findHierarchies();
    return {
      available: true,
      detail: `plain processes, ${describeLimits(hierarchies)}`,
      warnings: [
        "local provides no isolation: commands can read and write everything that you can, and use the network",
        ...(hierarchies.length > 0 ? [] : ["a process that hides deliberately can outlive its command"]),
        ...limitWarnings(hierarchies),
      ],
      mounts: "none",
    };
  },
  async open(spec) {
    refuseUnsupported(spec);
    return openLocal(spec);
  },
  async sweep(isAlive) {
    return [...(await killOrphans(isAlive)), ...(await sweepGroups(await findHierarchies(), isAlive))];
  },
});

function refuseUnsupported(spec: SandboxSpec): void {
  if (spec.image !== undefined) {
    throw new MillwrightError("sandbox", "The local sandbox cannot run an image.", {
      hint: "Use the sandbox docker.",
    });
  }
  const moved = spec.mounts.find((mount) => mount.mode === "overlay" || mount.source !== mount.target);
  if (moved !== undefined) {
    throw new MillwrightError("sandbox", `The local sandbox cannot show ${moved.source} at ${moved.target}.`);
  }
}

async function openLocal(spec: SandboxSpec): Promise<Sandbox> {
  const hierarchies = await findHierarchies();
  return createSandbox({
    name: "local",
    home: homedir(),
    environment: {},
    run: (command, pipes) => runLocally(spec, hierarchies, command, pipes),
    async dispose() {},
  });
}

/** Runs a command. Without `hierarchies`, finds its process tree by the marker, and limits only memory. */
async function runLocally(
  { owner, limits }: SandboxSpec,
  hierarchies: readonly Hierarchy[],
  command: Command,
  pipes?: CommandPipes,
): Promise<CommandResult> {
  const marker = makeMarker(owner);
  const group = await createGroup(hierarchies, owner, limits);
  let root: ProcessEntry | undefined;
  try {
    const end = await runHostProcess({
      argv: [
        ...group.enter,
        ...launchArguments(command, {
          ownsNamespace: false,
          ...(group.limits.includes("memory") ? {} : { dataBytes: limits.memoryBytes }),
          env: { [markerVariable]: marker },
        }),
      ],
      env: { PATH: launcherPath, [markerVariable]: marker },
      command,
      pipes,
      onStart(child) {
        root = child.pid === undefined ? undefined : readProcess(child.pid);
      },
      async killTree() {
        if (root !== undefined) await killTree(root, marker, () => group.members());
      },
    });
    return {
      end: end.stop ?? endOfExitCode(end.exitCode, (await group.memoryKills()) > 0),
      exitCode: end.stop === undefined ? end.exitCode : null,
      stdout: end.stdout,
      stderr: end.stderr,
      durationMs: end.durationMs,
    };
  } finally {
    await group.remove();
  }
}
