/** The standard streams of a command that is talked to while it runs. */
import { PassThrough } from "node:stream";
import { renderOutput } from "../base/captured-output.ts";
import type { AttachedCommand, AttachedProcess, Command, CommandResult } from "./contract.ts";

/** What a back end connects a command to. */
export interface CommandPipes {
  /** Goes to the command's standard input, end included. */
  readonly input: PassThrough;
  /** Takes its standard output; the back end does not end it. */
  readonly output: PassThrough;
  onStderr(chunk: Buffer): void;
}

/** Bytes kept of the end of an attached command's standard error. */
const stderrBytes = 64 * 1024;

/** Starts the command by `run`, which returns when its whole tree is gone. */
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
  exited.catch(() => {}); // it may fail when nobody waits
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
