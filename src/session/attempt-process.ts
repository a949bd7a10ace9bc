/** Runs each attempt in a separate process. The process gets the attempt's request, and no other data of the batch. */
import { type ChildProcess, spawn } from "node:child_process";
import { setTimeout as delay } from "node:timers/promises";
import { createOutputCapture, renderOutput } from "../base/captured-output.ts";
import { MillwrightError } from "../base/errors.ts";
import { killGroup } from "../base/process.ts";
import { formatDuration } from "../base/units.ts";
import {
  type AttemptRequest,
  type AttemptResult,
  attemptResultSchema,
  failedAttempt,
} from "../bench/attempt.ts";

export interface AttemptProcess {
  /**
   * A program that reads a request (one line of standard input), and prints the result as one line. The program ends
   * soon after its input ends.
   */
  readonly program: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which Millwright kills a process that does not end by itself. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Milliseconds for an interrupted process to close its sandboxes. */
const graceMs = 20_000;
/** Exit codes of a program that could not be loaded, so that the agent never began: 1 is Node's; 2 and 3 are ours. */
const brokenExits: ReadonlySet<number | null> = new Set([1, 2, 3]);
const outputBytes = 64 * 1024 * 1024;

/**
 * Performs an attempt in its own process. Returns a failed attempt if the process ends without a result. Throws
 * AbortError if the signal stopped the attempt. Throws MillwrightError("internal") if the process cannot start.
 */
export async function performAttempt(request: AttemptRequest, own: AttemptProcess): Promise<AttemptResult> {
  const started = performance.now();
  const [command = "", ...args] = own.program;
  const child = spawn(command, args, {
    // In its own group: the user's Ctrl-C reaches it as the end of its input, and so does the death of this process.
    detached: true,
    env: own.environment,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const [stdout, stderr] = [createOutputCapture(outputBytes), createOutputCapture(64 * 1024)];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => {}); // it may end before it has read its input
  child.stdin.write(`${JSON.stringify(request)}\n`);
  const end = await waitFor(child, own);
  own.signal.throwIfAborted();
  if (end.startError !== undefined) {
    throw new MillwrightError(
      "internal",
      `Millwright cannot start the agent's process: ${end.startError.message}`,
      {
        cause: end.startError,
      },
    );
  }
  const result = readResult(renderOutput(stdout.finish()));
  if (result !== undefined) return result;
  const seconds = (performance.now() - started) / 1000;
  const last = renderOutput(stderr.finish()).trim().slice(-600);
  if (end.isLate) {
    return failedAttempt(
      request.run,
      "agent-error",
      `the agent's process had not ended after ${formatDuration(own.limitMs)}, long after the time limit of an attempt: ${last}`,
      seconds,
    );
  }
  // A signal comes from outside: the kernel out of memory, or an administrator.
  const isOurs = end.signal !== null || brokenExits.has(end.exitCode);
  const state = isOurs ? "infrastructure-error" : "agent-error";
  const how = end.signal === null ? `exit code ${end.exitCode}` : end.signal;
  const said = last === "" ? "" : `: ${last}`;
  return failedAttempt(
    request.run,
    state,
    `the agent's process ended with ${how}, without a valid result${said}`,
    seconds,
  );
}

function readResult(text: string): AttemptResult | undefined {
  try {
    return attemptResultSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

interface ChildEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly startError?: Error;
  readonly isLate: boolean;
}

function waitFor(child: ChildProcess, { limitMs, signal }: AttemptProcess): Promise<ChildEnd> {
  const kill = (): void => void (child.pid === undefined || killGroup(child.pid));
  const ended = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    kill();
  }, limitMs);
  const stop = (): void => {
    child.stdin?.end();
    delay(graceMs, undefined, { signal: ended.signal }).then(kill, () => {});
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  return new Promise<ChildEnd>((resolve) => {
    child.on("error", (startError) => resolve({ exitCode: null, signal: null, startError, isLate }));
    child.on("close", (exitCode, by) => resolve({ exitCode, signal: by, isLate }));
  }).finally(() => {
    clearTimeout(timer);
    ended.abort();
    signal.removeEventListener("abort", stop);
  });
}
