import { setTimeout as delay } from "node:timers/promises";
import type Docker from "dockerode";
import { MillwrightError } from "../../base/errors.ts";
import { endOfExitCode } from "../command-end.ts";
import type { CommandPipes } from "../command-pipes.ts";
import type { Command, CommandResult } from "../contract.ts";
import { ask, isMissing } from "./client.ts";
import { runInContainer } from "./command.ts";
import { attachControl, type ContainerControl } from "./control.ts";

/** A container that runs one command at a time. Kills a command's leftover processes before the next command. */
export interface CommandContainer {
  /**
   * Returns false while the container runs a command. Also returns false if the container has ended, or could not be
   * cleared of processes: the caller must then remove the container.
   */
  isUsable(): boolean;
  /** Runs a command. Throws MillwrightError("sandbox") if the container or the daemon fails. */
  run(command: Command, pipes?: CommandPipes): Promise<CommandResult>;
  /** Stores the container's files as an image. Throws MillwrightError("sandbox") if the daemon fails. */
  commit(name: string, limitMs: number): Promise<void>;
  /** Removes the container with all its processes. Never throws. */
  remove(): Promise<void>;
}

/** Milliseconds that a container may take to answer for the first time. */
const startLimitMs = 30_000;
/** Time limit in milliseconds for a removal, and again until the removal is visible. The daemon may hang. */
const removeLimitMs = 5000;
const lookLimitMs = 2000;

/** Creates and starts the container. Throws MillwrightError("sandbox") if the daemon cannot do so. */
export async function openContainer(
  docker: Docker,
  options: Docker.ContainerCreateOptions,
): Promise<CommandContainer> {
  const container = await ask("creating a container", docker.createContainer(options), {
    hint: "The daemon must run on this machine, because it mounts the machine's folders.",
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
  let removal: Promise<boolean> | undefined;
  const remove = (): Promise<boolean> => {
    removal ??= removeContainer(container);
    return removal;
  };
  return {
    isUsable: () => isReady && !control.hasEnded(),
    async run(command, pipes) {
      isReady = false;
      const started = performance.now();
      const end = await runInContainer(container, control, command, pipes);
      const ranOutOfMemory = (end.memoryKills ?? 0) > memoryKills;
      if (end.memoryKills === undefined) {
        if (!(await remove())) throw unkillable();
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
    async commit(name, limitMs) {
      const [repo, tag] = name.split(":");
      await ask("storing an image", container.commit({ repo, tag }), { limitMs });
    },
    async remove() {
      await remove(); // the sweep finds what is left
    },
  };
}

function unkillable(): MillwrightError {
  return new MillwrightError(
    "sandbox",
    "Docker: a command could not be killed, and its container could not be removed.",
    {
      hint: "The daemon does not answer: check it with `docker ps`, and restart it.",
    },
  );
}

/** Removes the container. Returns true if it is gone, false if it is not or the daemon does not answer. */
async function removeContainer(container: Docker.Container): Promise<boolean> {
  const removal = container.remove({ force: true });
  await ask("removing a container", removal, { limitMs: removeLimitMs }).catch(() => {});
  // Another removal of it may be in progress.
  for (const deadline = performance.now() + removeLimitMs; performance.now() < deadline; await delay(100)) {
    const state = await ask("looking for a container", lookFor(container), { limitMs: lookLimitMs }).catch(
      () => "unknown",
    );
    if (state !== "there") return state === "gone";
  }
  return false;
}

async function lookFor(container: Docker.Container): Promise<"there" | "gone"> {
  try {
    await container.inspect();
    return "there";
  } catch (error) {
    if (isMissing(error)) return "gone";
    throw error;
  }
}
