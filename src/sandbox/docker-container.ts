import type Docker from "dockerode";
import { endOfExitCode } from "./command-end.ts";
import type { Command, CommandResult } from "./contract.ts";
import { ask, isMissing } from "./docker-client.ts";
import { runInContainer } from "./docker-command.ts";
import { attachControl, type ContainerControl } from "./docker-control.ts";

/** A container that runs one command at a time; whatever a command leaves behind is killed before the next. */
export interface CommandContainer {
  /** False while it runs a command, and after it has ended or could not be cleared: it must be removed then. */
  isUsable(): boolean;
  /** Throws MillwrightError("sandbox"). */
  run(command: Command): Promise<CommandResult>;
  /** Removes it, with all that runs in it; never throws. */
  remove(): Promise<void>;
}

/** Milliseconds that a container may take to answer for the first time. */
const startLimitMs = 30_000;

/** Makes and starts the container. Throws MillwrightError("sandbox"). */
export async function openContainer(
  docker: Docker,
  options: Docker.ContainerCreateOptions,
): Promise<CommandContainer> {
  const container = await ask("creating a container", docker.createContainer(options), {
    hint: "The daemon must run on this machine, since it mounts folders of it.",
  });
  try {
    const control = await attachControl(container);
    await ask("starting a container", container.start());
    await control.clear(startLimitMs);
    return commandContainer(container, control);
  } catch (error) {
    await removeContainer(container);
    throw error;
  }
}

function commandContainer(container: Docker.Container, control: ContainerControl): CommandContainer {
  let isReady = true;
  let memoryKills = 0;
  return {
    isUsable: () => isReady && !control.hasEnded(),
    async run(command) {
      isReady = false;
      const started = performance.now();
      const end = await runInContainer(container, control, command);
      const ranOutOfMemory = (end.memoryKills ?? 0) > memoryKills;
      if (end.memoryKills === undefined) {
        await removeContainer(container);
      } else {
        memoryKills = end.memoryKills;
        isReady = true;
      }
      return {
        end: end.stop ?? endOfExitCode(end.exitCode, ranOutOfMemory),
        exitCode: end.stop === undefined ? end.exitCode : null,
        stdout: end.stdout,
        stderr: end.stderr,
        durationMs: performance.now() - started,
      };
    },
    remove: () => removeContainer(container),
  };
}

/** Removes a container; it may be gone, or on its way. */
async function removeContainer(container: Docker.Container): Promise<void> {
  try {
    await ask("removing a container", container.remove({ force: true }));
  } catch {
    // The sweep finds what is left. A removal that is under way is not finished: wait for it.
    await waitUntilRemoved(container);
  }
}

async function waitUntilRemoved(container: Docker.Container): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    try {
      await container.inspect();
    } catch (error) {
      if (isMissing(error)) return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
