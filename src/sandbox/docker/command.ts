import type { Duplex } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { type CapturedOutput, createOutputCapture } from "../../base/captured-output.ts";
import { MillwrightError } from "../../base/errors.ts";
import { defaultOutputBytes, type Stop, watchLimits } from "../command-end.ts";
import type { CommandPipes } from "../command-pipes.ts";
import type { Command } from "../contract.ts";
import { launchArguments } from "../launcher.ts";
import { ask } from "./client.ts";
import type { ContainerControl } from "./control.ts";
import { readDockerStream } from "./stream.ts";

export interface DockerCommandEnd {
  readonly stop: Stop | undefined;
  readonly exitCode: number;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  /**
   * The container's count of memory kills. Undefined if the container could not be cleared of processes, so that it
   * must be removed.
   */
  readonly memoryKills: number | undefined;
}

/** Milliseconds after which Millwright stops trying to clear a container of processes. */
const clearLimitMs = 5000;
/**
 * Milliseconds between checks of a command whose output stays open. The command may have ended while a child holds the
 * output.
 */
const lookIntervalMs = 500;
/** Milliseconds that the daemon may take to report the exit code of an ended command. */
const exitCodeLimitMs = 10_000;

/**
 * Runs a command in a container, then kills the processes that the command left there. Throws
 * MillwrightError("sandbox") if the container or the daemon fails.
 */
export async function runInContainer(
  container: Docker.Container,
  control: ContainerControl,
  command: Command,
  pipes?: CommandPipes,
): Promise<DockerCommandEnd> {
  const stdout = createOutputCapture(command.outputBytes ?? defaultOutputBytes);
  const stderr = createOutputCapture(command.outputBytes ?? defaultOutputBytes);
  const limits = watchLimits(command);
  try {
    const { exec, stream } = await startCommand(container, control, command, pipes !== undefined);
    if (pipes !== undefined) connectInput(stream, pipes);
    const output = watchOutput(
      readDockerStream(
        stream,
        (chunk) => {
          if (pipes === undefined) stdout.push(chunk);
          else if (!pipes.output.write(chunk)) waitForReader(stream, pipes);
        },
        (chunk) => {
          stderr.push(chunk);
          pipes?.onStderr(chunk);
        },
      ),
    );
    const ended = waitForEnd(exec, output).then(() => undefined);
    const stop = await Promise.race([ended, limits.stopped, control.broken]);
    const memoryKills = await clear(control, output);
    stream.destroy();
    const exitCode = stop === undefined ? await exitCodeOf(exec, control) : 0;
    const end = { stop, exitCode, stdout: stdout.finish(), stderr: stderr.finish(), memoryKills };
    refuseDaemonFailure(end);
    return end;
  } finally {
    limits.dispose();
  }
}

async function startCommand(
  container: Docker.Container,
  control: ContainerControl,
  command: Command,
  attachStdin: boolean,
): Promise<{ exec: Docker.Exec; stream: Duplex }> {
  const start = async (): Promise<{ exec: Docker.Exec; stream: Duplex }> => {
    const exec = await container.exec({
      Cmd: launchArguments(command, { ownsNamespace: true }),
      AttachStdin: attachStdin,
      AttachStdout: true,
      AttachStderr: true,
      Tty: false,
    });
    return { exec, stream: await exec.start({ hijack: true, stdin: attachStdin }) };
  };
  return ask("starting a command", Promise.race([start(), control.broken]));
}

function connectInput(stream: Duplex, { input }: CommandPipes): void {
  input.pipe(stream);
  stream.once("close", () => input.unpipe(stream).resume());
}

/** Waits for the reader (back-pressure). The daemon, and therefore the command, waits while nobody reads. */
function waitForReader(stream: Duplex, { output }: CommandPipes): void {
  stream.pause();
  output.once("drain", () => stream.resume());
}

interface Output {
  readonly closed: Promise<void>;
  isClosed(): boolean;
}

function watchOutput(closed: Promise<void>): Output {
  let isClosed = false;
  return {
    closed: closed.then(() => {
      isClosed = true;
    }),
    isClosed: () => isClosed,
  };
}

/** Resolves when the command has ended, even if one of its children holds its output. */
async function waitForEnd(exec: Docker.Exec, output: Output): Promise<void> {
  while (!output.isClosed()) {
    await Promise.race([output.closed, delay(lookIntervalMs)]);
    if (output.isClosed()) return;
    const state = await exec.inspect().catch(() => undefined);
    if (state?.Running === false) return;
  }
}

/**
 * Kills all processes until the output is closed. Does so repeatedly, because a command that was just starting appears
 * only after the first time. Returns the result of `ContainerControl.clear`; undefined if it could not clear the
 * container.
 */
async function clear(control: ContainerControl, output: Output): Promise<number | undefined> {
  const deadline = performance.now() + clearLimitMs;
  while (performance.now() < deadline) {
    const memoryKills = await control.clear(clearLimitMs).catch((error: unknown) => {
      if (control.hasEnded()) throw error;
      return undefined;
    });
    if (memoryKills === undefined) return undefined;
    await Promise.race([output.closed, delay(100)]);
    if (output.isClosed()) return memoryKills;
  }
  return undefined;
}

async function exitCodeOf(exec: Docker.Exec, control: ContainerControl): Promise<number> {
  for (let waited = 0; waited < exitCodeLimitMs; waited += 20) {
    const inspection = Promise.race([exec.inspect(), control.broken]);
    const state = await ask("asking for an exit code", inspection);
    if (!state.Running && state.ExitCode !== null) return state.ExitCode;
    await delay(20);
  }
  throw new MillwrightError("sandbox", "Docker: the daemon reports no exit code for a command.");
}

/** Throws if the daemon failed to start the process. The daemon reports this failure as output of the process. */
function refuseDaemonFailure(end: DockerCommandEnd): void {
  const text = end.stdout.head.subarray(0, 400).toString().trim();
  if (end.exitCode === 126 && text.startsWith("OCI runtime exec failed")) {
    throw new MillwrightError("sandbox", `Docker: starting a command failed: ${text}`);
  }
}
