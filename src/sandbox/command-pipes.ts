/** Starts a command whose standard streams stay open for its caller (an attached command). */
import { PassThrough } from "node:stream";
import { renderOutput } from "../base/captured-output.ts";
import type { AttachedCommand, AttachedProcess, Command, CommandResult } from "./contract.ts";

/** The streams that a back end connects to a command. */
export interface CommandPipes {
  /** Feeds the command's standard input, including its end. */
  readonly input: PassThrough;
  /** Receives the command's standard output. The back end does not end this stream. */
  readonly output: PassThrough;
  onStderr(chunk: Buffer): void;
}

/** Bytes kept from the end of an attached command's standard error. */
const stderrBytes = 64 * 1024;

/** Starts the command with `run`, which must return only when all processes of the command are gone. */
export function attachCommand(
  command: AttachedCommand,
  run: (command: Command, pipes: CommandPipes) => Promise<CommandResult>,
): AttachedProcess {
  const input = new PassThrough();
  const output = new PassThrough();
  const killing = new AbortController();
  let tail = Buffer.alloc(0);
  const keep = (chunk: Buffer): void => {
    tail = Buffer.from(Buffer.concat([tail, chunk]).subarray(-stderrBytes));
  };
  input.on("error", () => {}); // written to after its end

  const signals = command.signal === undefined ? [] : [command.signal];
  const signal = AbortSignal.any([killing.signal, ...signals]);
  const whole = { ...command, signal, timeoutMs: Number.POSITIVE_INFINITY, outputBytes: 4096 };
  const exited = run(whole, { input, output, onStderr: keep })
    .then((result) => {
      if (tail.length === 0) keep(Buffer.from(renderOutput(result.stderr))); // it never started
      return { end: result.end, exitCode: result.exitCode, durationMs: result.durationMs };
    })
    .finally(() => {
      output.end();
      input.unpipe();
      input.resume(); // a writer would wait for ever
    });
  exited.catch(() => {}); // it may fail while nobody waits
  return {
    stdin: input,
    stdout: output,
    stderr: () => tail.toString("utf8"),
    exited,
    async kill() {
      killing.abort();
      await exited.catch(() => {});
    },
  };
}
