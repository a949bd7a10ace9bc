import { constants } from "node:os";
import type { Command, CommandEnd, CommandResult } from "./contract.ts";

/** Why a command was killed before it ended by itself. */
export type Stop = "timed-out" | "aborted";

/** Bytes kept of each stream when the command does not say. */
export const defaultOutputBytes = 1024 * 1024;

/**
 * The signals that end a process by default, without SIGHUP: no terminal can send it here, and 129 is a usual exit code
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

/** How a command ended by itself, from the code that a shell would give it. */
export function endOfExitCode(exitCode: number, killedForMemory: boolean): CommandEnd {
  if (killedForMemory && exitCode !== 0) return "out-of-memory";
  return deadlySignals.has(exitCode - 128) ? "signalled" : "exited";
}

/** The exit code that a shell gives to a process. */
export function shellExitCode(exitCode: number | null, signal: NodeJS.Signals | null): number {
  return exitCode ?? (signal === null ? 0 : 128 + constants.signals[signal]);
}

/**
 * Waits for the command's time limit and its signal. `stopped` resolves when one of them fires (and never else);
 * call `dispose` when the command has ended.
 */
export function watchLimits(command: Command): { readonly stopped: Promise<Stop>; dispose(): void } {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  const onAbort = (): void => resolve("aborted");
  // An attached command has no limit: a timer without end would fire at once.
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

/** Longest single argument that Linux takes (MAX_ARG_STRLEN), and a total that is below ARG_MAX with the usual stack. */
const argumentBytes = 128 * 1024 - 1;
const totalArgumentBytes = 2 * 1024 * 1024 - 16 * 1024;

/**
 * The result of a command that cannot start at all: its signal has fired, or its arguments and environment are longer than
 * the kernel takes (exit code 126, as a shell has it).
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
