/** Plans the files that a bubblewrap sandbox shows below its mounts: the host's toolchain, or an image's folders. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { MillwrightError } from "../base/errors.ts";
import { runProcess } from "../base/process.ts";
import type { SandboxSpec } from "./contract.ts";
import { type FolderImage, hostBase, requireFolders } from "./folder-images.ts";
import { isInside, type LayeredMount } from "./mounts.ts";
import { imageHome } from "./state-folders.ts";
import { findHostView, type HostView } from "./toolchain.ts";

export interface ShownRoot {
  /** The home folder that commands see. */
  readonly home: string;
  /** The host's toolchain; empty for an image with a root folder of its own. */
  readonly view: HostView;
  /** Overlays with the image's layers. Their changes last as long as the sandbox. */
  readonly overlays: readonly LayeredMount[];
  /** A folder with the image's files, on a machine without overlays. Only a build may write to it. */
  readonly linked?: string;
  /** True if commands make a new layer: they are root and may write to the overlays. */
  readonly builds: boolean;
}

export interface RootOptions {
  readonly builds: boolean;
  /** True if this machine mounts overlays. Otherwise the sandbox gets a folder of hard links, and a build gets copies. */
  readonly hasOverlays: boolean;
}

/**
 * Plans the root folder. Stores changes in the state folder. Throws MillwrightError("sandbox") if the image is missing,
 * or needs overlays that this machine cannot mount. Throws MillwrightError("disk") if it cannot copy the image.
 */
export async function planRoot(spec: SandboxSpec, { builds, hasOverlays }: RootOptions): Promise<ShownRoot> {
  const image = spec.image === undefined ? undefined : await requireFolders(spec.image);
  const needsOverlays =
    image !== undefined && (image.layers.length > 0 || (builds && image.base === hostBase));
  if (needsOverlays && !hasOverlays) {
    throw new MillwrightError(
      "sandbox",
      `bubblewrap cannot run the image ${spec.image}: this machine cannot mount overlays.`,
      {
        hint: "Give the recipe a root folder, or use the sandbox docker.",
      },
    );
  }
  if (image === undefined || image.base === hostBase) {
    const view = await findHostView(spec);
    const overlays = image === undefined ? [] : overlaysOfHost(spec, view, image, builds);
    return { home: view.home, view, overlays, builds };
  }
  const view = { home: imageHome, links: [], folders: [], hidden: [] };
  if (!hasOverlays) {
    const linked = join(spec.stateDirectory, "root");
    await copyFiles(image.base, linked, builds ? "copy" : "link");
    return { home: imageHome, view, overlays: [], linked, builds };
  }
  const changes = join(spec.stateDirectory, "root");
  const whole: LayeredMount = {
    mode: "overlay",
    source: image.base,
    above: image.layers,
    changes,
    target: "/",
  };
  return { home: imageHome, view, overlays: [whole], builds };
}

/** Layers over the host's programs: an overlay for each folder that the layers change. A build gets one for each folder. */
function overlaysOfHost(
  spec: SandboxSpec,
  { home, folders }: HostView,
  image: FolderImage,
  builds: boolean,
): LayeredMount[] {
  const system = folders.filter(({ target }) => !isInside(target, home));
  return system.flatMap(({ source, target }, index) => {
    const above = image.layers.map((layer) => join(layer, target)).filter((path) => existsSync(path));
    const changes = join(spec.stateDirectory, "root", String(index));
    return above.length > 0 || builds ? [{ mode: "overlay" as const, source, above, changes, target }] : [];
  });
}

/** Copies a folder, or links its files: folders are new in both cases. A file system without links gets copies. */
async function copyFiles(from: string, to: string, how: "copy" | "link"): Promise<void> {
  const done = await runProcess(["cp", how === "link" ? "-al" : "-a", "--", from, to], {
    timeoutMs: copyLimitMs,
  });
  if (done.exitCode === 0) return;
  if (how === "link") {
    await rm(to, { recursive: true, force: true });
    await copyFiles(from, to, "copy");
    return;
  }
  throw new MillwrightError(
    "disk",
    `Cannot copy the image's folder ${from}: ${renderOutput(done.stderr).trim().slice(-300)}`,
  );
}

const copyLimitMs = 600_000;
