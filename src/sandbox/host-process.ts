import { type ChildProcess, spawn } from "node:child_process";
import { type CapturedOutput, createOutputCapture } from "../base/captured-output.ts";
import { defaultOutputBytes, type Stop, shellExitCode, watchLimits } from "./command-end.ts";
import type { CommandPipes } from "./command-pipes.ts";
import type { Command } from "./contract.ts";

export interface HostProcess {
  /** The program and its arguments. It runs in `/`, with its own environment. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly command: Command;
  /** Descriptors that the child inherits, numbered from `firstInherited` on. The caller closes them. */
  readonly inherited?: readonly number[];
  /** The standard streams of an attached command. */
  readonly pipes?: CommandPipes | undefined;
  /** Receives the child as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
  /**
   * Kills all processes that the command started, and returns once they are gone. Called once: at the time limit, on
   * abort, or after the child has ended by itself.
   */
  readonly killTree: (child: ChildProcess) => Promise<void>;
}

export interface HostProcessEnd {
  readonly stop: Stop | undefined;
  readonly exitCode: number;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly durationMs: number;
}

/** The number of the first inherited descriptor in the child. */
export const firstInherited = 4;

/** Milliseconds that the output may stay open after all processes are gone: a process that escaped may hold it. */
const streamGraceMs = 1000;

/**
 * Runs a command as a child process in its own session. The child's fd 3 is a pipe: `onStart` can read it from
 * `child.stdio[3]`. Rejects with the system's error if the command cannot be started.
 */
export async function runHostProcess(options: HostProcess): Promise<HostProcessEnd> {
  const { command, pipes } = options;
  const started = performance.now();
  const [program = "", ...args] = options.argv;
  const { inherited = [] } = options;
  const child = spawn(program, args, {
    cwd: "/",
    env: options.env,
    detached: true,
    stdio: [
      pipes === undefined ? "ignore" : "pipe",
      ...["pipe" as const, "pipe" as const, "pipe" as const],
      ...inherited,
    ],
  });
  const stdout = createOutputCapture(command.outputBytes ?? defaultOutputBytes);
  const stderr = createOutputCapture(command.outputBytes ?? defaultOutputBytes);
  if (pipes === undefined) child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  else connectPipes(child, pipes);
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr.push(chunk);
    pipes?.onStderr(chunk);
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = waitForExit(child);
  const limits = watchLimits(command);
  try {
    options.onStart?.(child);
    const first = await Promise.race([exited.then(() => undefined), limits.stopped]);
    await options.killTree(child);
    const exitCode = await exited;
    await settle(child, closed);
    const durationMs = performance.now() - started;
    return { stop: first, exitCode, stdout: stdout.finish(), stderr: stderr.finish(), durationMs };
  } finally {
    limits.dispose();
  }
}

function connectPipes({ stdin, stdout }: ChildProcess, pipes: CommandPipes): void {
  stdin?.on("error", () => {}); // it may end before it has read its input
  if (stdin !== null) pipes.input.pipe(stdin);
  // Not ended with the child: `exited` and the end of the output come together.
  stdout?.pipe(pipes.output, { end: false });
}

function waitForExit(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, signal) => resolve(shellExitCode(exitCode, signal)));
  });
}

async function settle(child: ChildProcess, closed: Promise<void>): Promise<void> {
  const timer = setTimeout(() => {
    for (const stream of child.stdio) stream?.destroy();
  }, streamGraceMs);
  await closed;
  clearTimeout(timer);
}
