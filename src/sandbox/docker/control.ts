import type { Duplex } from "node:stream";
import type Docker from "dockerode";
import { MillwrightError } from "../../base/errors.ts";
import { ask } from "./client.ts";
import { readDockerStream } from "./stream.ts";

/**
 * Our connection to a container's first process (see `firstProcess` in options.ts). Code in the container runs as the
 * same user and could forge this process's answers. Such code could outlive its command, but never its container.
 */
export interface ContainerControl {
  /**
   * Kills all processes except the first. Resolves once they are gone. The result is the number of processes that the
   * kernel has killed for memory since the container began. Throws MillwrightError("sandbox") at the limit of `limitMs`
   * milliseconds, or if the container has ended.
   */
  clear(limitMs: number): Promise<number>;
  /** Rejects with MillwrightError("sandbox") when the container or the daemon has ended; never resolves. */
  readonly broken: Promise<never>;
  hasEnded(): boolean;
}

/** Attaches to a container. Call this before the container starts. */
export async function attachControl(container: Docker.Container): Promise<ContainerControl> {
  const stream = (await ask(
    "attaching to a container",
    container.attach({ stream: true, stdin: true, stdout: true, stderr: true, hijack: true }),
  )) as Duplex;
  let text = "";
  let counter = 0;
  let over = false;
  let onAnswer = (): void => {};
  const onText = (chunk: Buffer): void => {
    text = (text + chunk.toString("latin1")).slice(-4096);
    onAnswer();
  };
  const broken = readDockerStream(stream, onText, onText).then((): never => {
    over = true;
    throw new MillwrightError("sandbox", "Docker: the container ended while it was in use.", {
      hint: "Possible causes: somebody restarted the daemon or stopped the container, or files in /dev/shm filled its memory.",
    });
  });
  broken.catch(() => {}); // it may end while nobody waits
  return {
    broken,
    hasEnded: () => over,
    clear(limitMs) {
      counter += 1;
      const pattern = new RegExp(`^clear-${counter} (\\d+)$`, "m");
      const answer = new Promise<number>((resolve) => {
        onAnswer = () => {
          const count = pattern.exec(text)?.[1];
          if (count !== undefined) resolve(Number(count));
        };
      });
      stream.write(`clear-${counter}\n`);
      return ask("clearing a container", Promise.race([answer, broken]), { limitMs });
    },
  };
}
