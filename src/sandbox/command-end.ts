import { constants } from "node:os";
import type { Command, CommandEnd, CommandResult } from "./contract.ts";

/** The reason why Millwright killed a command: the command's time limit or its signal. */
export type Stop = "timed-out" | "aborted";

/** Default limit in bytes for each captured stream. */
export const defaultOutputBytes = 1024 * 1024;

/**
 * The signals that end a process by default, except SIGHUP. No terminal can send it here, and 129 is a common exit code
 * (a usage error of git).
 */
const deadlySignals = new Set<number>(
  (
    [
      "SIGINT",
      "SIGQUIT",
      "SIGILL",
      "SIGTRAP",
      "SIGABRT",
      "SIGBUS",
      "SIGFPE",
      "SIGKILL",
      "SIGUSR1",
      "SIGSEGV",
      "SIGUSR2",
      "SIGPIPE",
      "SIGALRM",
      "SIGTERM",
      "SIGXCPU",
      "SIGXFSZ",
      "SIGSYS",
    ] as const
  ).map((name) => constants.signals[name]),
);

/** Derives from a shell's exit code how the command ended. */
export function endOfExitCode(exitCode: number, killedForMemory: boolean): CommandEnd {
  if (killedForMemory && exitCode !== 0) return "out-of-memory";
  return deadlySignals.has(exitCode - 128) ? "signalled" : "exited";
}

/**
 * Returns the exit code that a shell reports for a process: 128 plus the signal's number if a signal ended the process.
 */
export function shellExitCode(exitCode: number | null, signal: NodeJS.Signals | null): number {
  return exitCode ?? (signal === null ? 0 : 128 + constants.signals[signal]);
}

/**
 * Watches the command's time limit and its signal. `stopped` resolves with the first that occurs; if neither occurs, it
 * never resolves. Call `dispose` once the command has ended.
 */
export function watchLimits(command: Command): { readonly stopped: Promise<Stop>; dispose(): void } {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  const onAbort = (): void => resolve("aborted");
  // An attached command has no limit: a timer for Infinity would fire at once.
  const timer = Number.isFinite(command.timeoutMs)
    ? setTimeout(() => resolve("timed-out"), command.timeoutMs)
    : undefined;
  if (command.signal?.aborted) onAbort();
  command.signal?.addEventListener("abort", onAbort, { once: true });
  return {
    stopped: promise,
    dispose() {
      clearTimeout(timer);
      command.signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Maximum bytes of a single argument on Linux (MAX_ARG_STRLEN). Below: a total below ARG_MAX with the usual stack. */
const argumentBytes = 128 * 1024 - 1;
const totalArgumentBytes = 2 * 1024 * 1024 - 16 * 1024;

/**
 * Returns the result of a command that cannot start; undefined if it can. Reasons:
 * - its signal is aborted
 * - its arguments and environment exceed the kernel's limit (exit code 126, as in a shell)
 */
export function resultBeforeStart(command: Command): CommandResult | undefined {
  if (command.signal?.aborted) return emptyResult("aborted", null, "");
  const words = typeof command.run === "string" ? [command.run] : command.run;
  const variables = Object.entries(command.env).map(([name, value]) => `${name}=${value}`);
  const sizes = [...words, ...variables].map((word) => Buffer.byteLength(word));
  const total = sizes.reduce((sum, size) => sum + size + 9, 0);
  if (sizes.every((size) => size <= argumentBytes) && total <= totalArgumentBytes) return undefined;
  return emptyResult("exited", 126, "millwright: the arguments and the environment are too long\n");
}

function emptyResult(end: CommandEnd, exitCode: number | null, message: string): CommandResult {
  const stderr = Buffer.from(message);
  const nothing = Buffer.alloc(0);
  return {
    end,
    exitCode,
    stdout: { head: nothing, tail: nothing, totalBytes: 0 },
    stderr: { head: stderr, tail: nothing, totalBytes: stderr.length },
    durationMs: 0,
  };
}
