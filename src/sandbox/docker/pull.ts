/** Pulls images from a registry if the daemon does not have them. */
import { MillwrightError } from "../../base/errors.ts";
import { fieldOf, textOf } from "../../base/fields.ts";
import type { HeldImage, ImageStore } from "../contract.ts";
import { buildLayer } from "./build.ts";
import { ask, connectDocker, isMissing, reasonOf } from "./client.ts";

export const dockerImages: ImageStore = {
  holdsFolders: false,
  nameLayer: (_, hash) => `millwright-built:${hash}`,
  find: inspect,
  build: buildLayer,
  async ensure(name, signal) {
    const known = await inspect(name);
    if (known !== undefined) return { ...known, wasPulled: false };
    await pull(name, signal);
    const pulled = await inspect(name);
    if (pulled === undefined) {
      throw new MillwrightError("sandbox", `Docker: the image ${name} disappeared right after the pull`, {
        hint: "Run the command again, and do not remove images meanwhile.",
      });
    }
    return { ...pulled, wasPulled: true };
  },
  async findLack(name) {
    if ((await inspect(name)) !== undefined) return undefined;
    const docker = await connectDocker();
    try {
      await ask("asking a registry", docker.getImage(withTag(name)).distribution());
      return undefined;
    } catch (error) {
      // An answer of the registry about this image, or a daemon without this request: only a pull can tell more.
      const cause = error instanceof Error ? error.cause : undefined;
      const status = fieldOf(cause, "statusCode");
      const reason = reasonOf(cause);
      const isAnswer =
        typeof status === "number" && (status < 500 || /toomanyrequests|not supported/i.test(reason));
      return isAnswer ? undefined : reason;
    }
  },
  async remove(name) {
    const docker = await connectDocker();
    await ask("removing an image", docker.getImage(name).remove()).catch(() => {});
  },
};

async function inspect(name: string): Promise<Omit<HeldImage, "wasPulled"> | undefined> {
  const docker = await connectDocker();
  const found = docker
    .getImage(name)
    .inspect()
    .catch((error: unknown) => {
      if (isMissing(error)) return undefined;
      throw error;
    });
  const inspection = await ask("looking for an image", found);
  return inspection === undefined ? undefined : { id: inspection.Id, bytes: inspection.Size };
}

/** Pulls an image. The daemon answers with a stream of JSON Lines. A line may be an error, even after status 200. */
async function pull(name: string, signal: AbortSignal): Promise<void> {
  const docker = await connectDocker();
  try {
    const answer = await docker.pull(withTag(name), { abortSignal: signal });
    let rest = "";
    for await (const chunk of answer) {
      const lines = `${rest}${String(chunk)}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) throwOnError(line);
    }
    throwOnError(rest);
  } catch (cause) {
    signal.throwIfAborted();
    const reason = reasonOf(cause);
    const isFull = /no space left/i.test(reason);
    throw new MillwrightError(
      isFull ? "disk" : "sandbox",
      `Docker cannot pull the image ${name}: ${reason}`,
      {
        cause,
        hint: isFull
          ? "Free disk space, or set a quota for images: Millwright then removes the least recently used ones."
          : "Check the name, and check that this machine reaches the registry. A rule of your environments can name a mirror.",
      },
    );
  }
}

/** Adds a tag to a name without one. Otherwise the daemon would pull all tags. */
function withTag(name: string): string {
  return name.includes("@") || /:[^/]+$/.test(name) ? name : `${name}:latest`;
}

function throwOnError(line: string): void {
  if (line.trim() === "") return;
  const message = textOf(JSON.parse(line), "error");
  if (message !== undefined) throw new Error(message);
}
