import { isSystemError, MillwrightError } from "../base/errors.ts";
import { resultBeforeStart } from "./command-end.ts";
import { attachCommand, type CommandPipes } from "./command-pipes.ts";
import type { Command, CommandResult, Sandbox } from "./contract.ts";

export interface SandboxParts {
  readonly name: string;
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command. With `pipes`, the command is attached, and the result does not contain its standard output. */
  run(command: Command, pipes?: CommandPipes): Promise<CommandResult>;
  /** Removes everything that the back end created. `createSandbox` calls it when no command runs any more. Must not throw. */
  dispose(): Promise<void>;
}

/**
 * Creates a sandbox from a back end's parts. Refuses commands that cannot start, and ends running commands before it
 * closes.
 */
export function createSandbox(parts: SandboxParts): Sandbox {
  const closing = new AbortController();
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  async function run(command: Command, pipes?: CommandPipes): Promise<CommandResult> {
    if (closing.signal.aborted) throw closedError();
    const refused = resultBeforeStart(command);
    if (refused !== undefined) return refused;
    const signals = command.signal === undefined ? [] : [command.signal];
    const signal = AbortSignal.any([closing.signal, ...signals]);
    const result = await parts.run({ ...command, signal }, pipes);
    if (result.end === "aborted" && !command.signal?.aborted) throw closedError();
    return result;
  }
  function track(execution: Promise<CommandResult>): Promise<CommandResult> {
    running.add(execution);
    return execution.finally(() => running.delete(execution));
  }
  async function close(): Promise<void> {
    closing.abort();
    await Promise.allSettled(running);
    await parts.dispose();
  }
  return {
    name: parts.name,
    home: parts.home,
    environment: parts.environment,
    execute: (command) => track(run(command)),
    attach: (command) => attachCommand(command, (whole, pipes) => track(run(whole, pipes))),
    close() {
      closed ??= close();
      return closed;
    },
  };
}

/**
 * Resolves like `opening`. Converts errors of the host's disk to MillwrightError("disk") with a remedy. Throws other
 * errors unchanged.
 */
export async function reportDiskErrors(opening: Promise<Sandbox>): Promise<Sandbox> {
  try {
    return await opening;
  } catch (cause) {
    if (cause instanceof MillwrightError || !isSystemError(cause)) throw cause;
    throw new MillwrightError("disk", `Cannot prepare the folders of a sandbox: ${cause.message}.`, {
      cause,
      hint: "Check the space (df) and the permissions of the folder for runs, or choose another (runsDir).",
    });
  }
}

function closedError(): MillwrightError {
  return new MillwrightError("sandbox", "The sandbox was closed.");
}
