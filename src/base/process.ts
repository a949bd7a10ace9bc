import { spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { type CapturedOutput, createOutputCapture } from "./captured-output.ts";

export interface ProcessOptions {
  readonly cwd?: string;
  /** The whole environment of the process; it inherits nothing else. Default: our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Milliseconds until the process group is killed. Default: no limit. */
  readonly timeoutMs?: number;
  /** Bytes kept of each stream. Default: 64 MiB. */
  readonly outputBytes?: number;
  /** Written to standard input. Default: standard input is `/dev/null`. */
  readonly input?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Receives the process id once the process has started. */
  readonly onStart?: (pid: number) => void;
}

export interface ProcessResult {
  /** null if the process died by a signal or could not be started. */
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Set if the program could not be started (ENOENT, EACCES …). */
  readonly startError: NodeJS.ErrnoException | undefined;
  readonly stdout: CapturedOutput;
  readonly stderr: CapturedOutput;
  readonly durationMs: number;
}

/**
 * Milliseconds that the streams of an ended process may stay open, because a child that escaped its group holds them.
 */
const streamGraceMs = 500;

/**
 * Runs a trusted program (git, docker, bwrap …) in a new process group, and waits for its end. The result says how the
 * program ended, or why it could not start. Rejects if Node refuses the arguments or if `cwd` is a file. Also rejects
 * if the arguments are too long for the kernel (E2BIG). At the time limit or on abort, sends SIGKILL to the whole
 * group. Children that left the group survive. Untrusted code must therefore run in a sandbox, which kills such
 * children too.
 */
export function runProcess(argv: readonly string[], options: ProcessOptions = {}): Promise<ProcessResult> {
  const started = performance.now();
  const [program = "", ...args] = argv;
  const limit = options.outputBytes ?? 64 * 1024 * 1024;
  const stdout = createOutputCapture(limit);
  const stderr = createOutputCapture(limit);

  return new Promise((resolve) => {
    let timedOut = false;
    let aborted = false;
    let startError: NodeJS.ErrnoException | undefined;
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: options.env ?? process.env,
      detached: true,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    });

    const kill = (): void => {
      if (child.pid === undefined) return;
      killGroup(child.pid);
      const timer = setTimeout(() => destroyAll(child.stdout, child.stderr), streamGraceMs);
      timer.unref();
    };
    const timer =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(() => {
            timedOut = true;
            kill();
          }, options.timeoutMs);
    const onAbort = (): void => {
      aborted = true;
      kill();
    };
    if (options.signal?.aborted) onAbort();
    options.signal?.addEventListener("abort", onAbort, { once: true });

    child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
    child.stdin?.on("error", () => {}); // the program may end before it has read its input
    if (options.input !== undefined) child.stdin?.end(options.input);
    if (child.pid !== undefined) options.onStart?.(child.pid);
    child.on("error", (error: NodeJS.ErrnoException) => {
      startError ??= child.pid === undefined ? error : undefined;
    });
    child.on("exit", () => {
      // A background child may hold the streams open for ever: wait only for the grace period.
      setTimeout(() => destroyAll(child.stdout, child.stderr), streamGraceMs).unref();
    });
    child.on("close", (exitCode, signal) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      resolve({
        exitCode: startError === undefined ? exitCode : null,
        signal,
        timedOut,
        aborted,
        startError,
        stdout: stdout.finish(),
        stderr: stderr.finish(),
        durationMs: performance.now() - started,
      });
    });
  });
}

/** Sends SIGKILL to a process group. Does nothing if the group no longer exists. */
export function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // gone already
  }
}

function destroyAll(...streams: (Readable | null)[]): void {
  for (const stream of streams) stream?.destroy();
}
