import { closeSync, openSync } from "node:fs";
import { release } from "node:os";
import { renderOutput } from "../base/captured-output.ts";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { killGroup } from "../base/process.ts";
import { endOfExitCode } from "./command-end.ts";
import type { CommandPipes } from "./command-pipes.ts";
import type { Command, CommandResult, SandboxLimits } from "./contract.ts";
import { type CommandGroup, createGroup, type Hierarchy } from "./control-groups.ts";
import { firstInherited, type HostProcessEnd, runHostProcess } from "./host-process.ts";
import { launchArguments, launcherPath } from "./launcher.ts";
import { killProcess, type ProcessEntry, readProcess, waitForEnd } from "./process-table.ts";
import { openFilter } from "./seccomp.ts";

export interface BubblewrapSetup {
  readonly owner: string;
  readonly limits: SandboxLimits;
  /** The program and arguments before `bwrap`, which enter the mount namespace of the overlays. */
  readonly enter: readonly string[];
  /** A file with the arguments of `bwrap`. Commands can read the command line of `bwrap`, but not this file. */
  readonly argumentsFile: string;
  readonly hierarchies: readonly Hierarchy[];
}

/**
 * True for Linux 5.14 or later, where RLIMIT_NPROC counts the processes of one user namespace. Older kernels count all
 * processes of the user. There, the limit could stop a command only because the user runs many other programs.
 */
export const countsProcessesPerNamespace = isKernelAtLeast(5, 14);

function isKernelAtLeast(major: number, minor: number): boolean {
  const [ownMajor = 0, ownMinor = 0] = release().split(".").map(Number.parseFloat);
  return ownMajor > major || (ownMajor === major && ownMinor >= minor);
}

/** Milliseconds after which Millwright abandons a process tree that does not end. */
const killLimitMs = 10_000;

/** Runs one command in its own sandbox process. Throws MillwrightError("sandbox") if bubblewrap fails. */
export async function runInBubblewrap(
  setup: BubblewrapSetup,
  command: Command,
  pipes?: CommandPipes,
): Promise<CommandResult> {
  const group = await createGroup(setup.hierarchies, setup.owner, setup.limits);
  try {
    const { end, status } = await runInGroup(setup, command, group, pipes);
    if (end.stop === undefined && !status.includes('"exit-code"')) {
      throw new MillwrightError(
        "sandbox",
        `bubblewrap failed: ${renderOutput(end.stderr).trim() || `it ended with exit code ${end.exitCode}`}`,
      );
    }
    const memoryRanOut = (await group.memoryKills()) > 0;
    return {
      end: end.stop ?? endOfExitCode(end.exitCode, memoryRanOut),
      exitCode: end.stop === undefined ? end.exitCode : null,
      stdout: end.stdout,
      stderr: end.stderr,
      durationMs: end.durationMs,
    };
  } finally {
    await group.remove();
  }
}

async function runInGroup(
  setup: BubblewrapSetup,
  command: Command,
  group: CommandGroup,
  pipes: CommandPipes | undefined,
): Promise<{ end: HostProcessEnd; status: string }> {
  let status = "";
  const inherited: number[] = [];
  try {
    inherited.push(openSync(setup.argumentsFile, "r"));
    const filter = openFilter();
    if (filter !== undefined) inherited.push(filter);
    const end = await runHostProcess({
      argv: commandLine(setup, command, group),
      inherited,
      env: { PATH: launcherPath },
      command,
      pipes,
      onStart(child) {
        child.stdio[3]?.on("data", (chunk: Buffer) => {
          status += chunk.toString("latin1");
        });
      },
      async killTree(child) {
        if (child.pid !== undefined) await killSandbox(child.pid, status, group);
      },
    });
    return { end, status };
  } catch (error) {
    if (isSystemError(error)) {
      throw new MillwrightError("sandbox", `Cannot start bubblewrap: ${error.message}`, { cause: error });
    }
    throw error;
  } finally {
    for (const descriptor of inherited) closeSync(descriptor);
  }
}

function commandLine(setup: BubblewrapSetup, command: Command, group: CommandGroup): string[] {
  const launch = launchArguments(command, {
    ownsNamespace: true,
    ...(group.limits.includes("memory") ? {} : { dataBytes: setup.limits.memoryBytes }),
    ...(group.limits.includes("pids") || !countsProcessesPerNamespace
      ? {}
      : { processes: setup.limits.processes }),
  });
  return [...group.enter, ...setup.enter, "bwrap", "--args", String(firstInherited), "--", ...launch];
}

/**
 * Kills bubblewrap. Its end kills the first process of the PID namespace, and the kernel then kills all others. Returns
 * once the first process, and therefore all of them, are gone.
 */
async function killSandbox(pid: number, status: string, group: CommandGroup): Promise<void> {
  const first = firstProcess(status);
  killGroup(pid);
  if (first !== undefined) killProcess(first.pid);
  const isGone = first === undefined || (await waitForEnd(first, killLimitMs));
  for (let attempt = 0; attempt < 100; attempt++) {
    const left = (await group.members()).filter((member) => readProcess(member)?.isZombie === false);
    if (left.length === 0 && isGone) return;
    for (const member of left) killProcess(member);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new MillwrightError("sandbox", "A command's processes cannot be killed.", {
    hint: "Look for a process in state D: it waits for a device or a network file system.",
  });
}

/** Returns the namespace's first process, as bubblewrap reports it (`{"child-pid": 123 …}`). */
function firstProcess(status: string): ProcessEntry | undefined {
  const pid = /"child-pid": *(\d+)/.exec(status)?.[1];
  return pid === undefined ? undefined : readProcess(Number(pid));
}
