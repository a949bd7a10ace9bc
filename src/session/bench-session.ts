/** Resources for graded tasks: a folder locked for one process, a sandbox, and private copies of repositories. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { lockRun } from "../agent/run/run-store.ts";
import { MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { openImageCache } from "../bench/image-cache.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import type { EnvironmentRules } from "../bench/rules.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import type { SandboxProvider } from "../sandbox/contract.ts";
import { sandboxes } from "../sandbox/index.ts";
import type { Host } from "./host.ts";
import { chooseSandbox, openSessionWorkspace, sandboxOf, sandboxRulesOf } from "./open-workspace.ts";
import type { Settings } from "./settings.ts";
import { version } from "./version.ts";

export interface BenchRequest
  extends Pick<
    GradingOptions,
    | "place"
    | "rules"
    | "directory"
    | "setupVariables"
    | "limitMs"
    | "testLimitMs"
    | "dropEnvironments"
    | "environmentQuota"
    | "frozen"
    | "patchLimit"
    | "logs"
    | "signal"
  > {
  readonly host: Host;
  /** Settings of the sandbox. */
  readonly settings: Settings;
  /** Maximum bytes of pulled images to keep; undefined: all. */
  readonly imageQuota?: number | undefined;
  /** True if the caller already opened the folder with `openBenchFolder`, for several sessions. Default: false. */
  readonly isFolderOpen?: boolean;
  /** The owner's name, by which a later sweep identifies the sandboxes. */
  readonly owner: string;
}

export interface BenchSession {
  readonly options: GradingOptions;
  /** The values, besides the task, on which results depend. */
  readonly conditions: unknown;
}

/**
 * Performs `work` with the chosen sandbox. Unless the folder is open (`isFolderOpen`), locks it during `work`, and
 * first removes leftover files of earlier processes. Throws MillwrightError("usage") if another process uses the
 * folder. Also throws it if tasks need images and the sandbox cannot run images.
 */
export async function withBenchSession<T>(
  request: BenchRequest,
  work: (session: BenchSession) => Promise<T>,
): Promise<T> {
  const { host, settings, owner, imageQuota, isFolderOpen = false, ...grading } = request;
  const { directory, limitMs, testLimitMs, signal } = grading;
  const sandbox = sandboxOf(await chooseSandbox(settings.sandbox, host), sandboxRulesOf(settings), owner);
  const { images } = sandbox.provider;
  checkImages(sandbox.provider, grading.rules);
  const unlock = isFolderOpen ? () => {} : await openBenchFolder(directory);
  try {
    for (const each of sandboxes) await each.sweep(() => false);
    const options: GradingOptions = {
      ...grading,
      ...{ frameworks: testFrameworks, version },
      sandbox,
      hostEnvironment: host.environment,
      images: images === undefined ? undefined : openImageCache(directory, images, imageQuota),
      openWorkspace: ({ image = sandbox.image, ...place }) =>
        openSessionWorkspace({
          ...{ ...place, host, signal },
          sandbox: image === undefined ? sandbox : { ...sandbox, image },
        }),
    };
    const { provider, owner: _, ...place } = sandbox;
    const id = place.image === undefined ? undefined : (await images?.find(place.image.name))?.id;
    const image = id === undefined ? [] : [id];
    return await work({
      options,
      conditions: [version, provider.name, place, limitMs, testLimitMs, ...image],
    });
  } finally {
    unlock();
  }
}

/** Throws MillwrightError("usage") if the sandbox cannot run an image that the rules give. */
function checkImages({ name, images }: SandboxProvider, rules: EnvironmentRules): void {
  const runs = (image: EnvironmentRules[number]["image"]): boolean =>
    image === undefined ||
    (images !== undefined &&
      (!images.holdsFolders || (image !== "published" && ("base" in image || image.name.startsWith("/")))));
  if (rules.every(({ image }) => runs(image))) return;
  const [what, hint] =
    images === undefined
      ? ["images", "Choose the sandbox docker."]
      : [
          "images of a registry",
          "Choose the sandbox docker, or give the recipe or the root folder of an image.",
        ];
  throw new MillwrightError("usage", `The sandbox ${name} cannot run ${what}, but tasks need ${what}`, {
    hint,
  });
}

/**
 * Locks the folder for this process, and removes the working folders of earlier processes. Returns a function that
 * unlocks it. Throws MillwrightError("usage") if another process uses the folder.
 */
export async function openBenchFolder(directory: string): Promise<() => void> {
  await makeFolders(directory);
  const unlock = lockBench(directory);
  try {
    await rm(join(directory, "work"), { recursive: true, force: true });
    return unlock;
  } catch (error) {
    unlock();
    throw error;
  }
}

function lockBench(directory: string): () => void {
  try {
    return lockRun(directory);
  } catch (cause) {
    if (!(cause instanceof MillwrightError) || cause.code !== "usage") throw cause;
    throw new MillwrightError("usage", `Another process is working in ${directory}`, {
      cause,
      hint: "Wait until that process ends, or give this process its own folder. One process can also work on several tasks at once.",
    });
  }
}
