/** Runs commands in containers of the local Docker daemon. */

import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type Docker from "dockerode";
import { fieldOf } from "../base/fields.ts";
import type { CommandPipes } from "./command-pipes.ts";
import {
  type Command,
  type CommandResult,
  defineSandbox,
  type Sandbox,
  type SandboxSpec,
} from "./contract.ts";
import { ask, connectDocker } from "./docker/client.ts";
import { type CommandContainer, openContainer } from "./docker/container.ts";
import { ensureHostImage } from "./docker/image.ts";
import { type ContainerPlan, containerOptions, overlayVolume } from "./docker/options.ts";
import { probeDocker } from "./docker/probe.ts";
import { dockerImages } from "./docker/pull.ts";
import { sweepDocker } from "./docker/sweep.ts";
import { checkMounts, isOverlay, linkOverlay, type OverlayMount, tidyOverlay } from "./mounts.ts";
import { createSandbox, reportDiskErrors } from "./sandbox-life.ts";
import { imageHome, prepareState } from "./state-folders.ts";
import { findHostView } from "./toolchain.ts";

export default defineSandbox({
  name: "docker",
  description:
    "Containers of the local Docker daemon, with your own image or the host's toolchain: no network by default, limits on memory, " +
    "CPU and processes, the toolchain read-only, and of your own files only the repository.",
  strength: 100,
  boundary: true,
  images: dockerImages,
  probe: () => probeDocker(openDocker),
  open: (spec) => reportDiskErrors(openDocker(spec)),
  sweep: sweepDocker,
});

async function openDocker(spec: SandboxSpec): Promise<Sandbox> {
  await checkMounts(spec.mounts);
  const docker = await connectDocker();
  const { plan, environment } = await planContainers(docker, spec);
  try {
    for (const [overlay, name] of plan.volumes) {
      const folder = join(spec.stateDirectory, "overlays", name);
      await linkOverlay(overlay, folder);
      await ask("creating a volume", docker.createVolume(overlayVolume(name, spec.owner, folder)));
    }
    return await openPool(docker, spec, plan, environment);
  } catch (error) {
    await removeOverlays(docker, spec, plan);
    throw error;
  }
}

async function planContainers(
  docker: Docker,
  spec: SandboxSpec,
): Promise<{ plan: ContainerPlan; environment: Record<string, string> }> {
  const volumes = new Map<OverlayMount, string>();
  for (const overlay of spec.mounts.filter(isOverlay)) {
    volumes.set(overlay, `millwright-${randomBytes(8).toString("hex")}`);
  }
  const user = await callingUser(docker);
  if (spec.image === undefined) {
    const view = await findHostView(spec);
    const image = await ensureHostImage(docker, view);
    const state = await prepareState(spec.stateDirectory, view.home, [...view.folders, ...spec.mounts]);
    return { plan: { image, user, home: view.home, view, state, volumes }, environment: {} };
  }
  const inspection = await ask("looking for the image", docker.getImage(spec.image).inspect(), {
    hint: `If the image is missing, pull it: \`docker pull ${spec.image}\`. Otherwise check the daemon: \`docker info\`.`,
  });
  const state = await prepareState(spec.stateDirectory, imageHome, spec.mounts);
  const plan = { image: spec.image, user, home: imageHome, view: undefined, state, volumes };
  return { plan, environment: parseVariables(inspection.Config.Env ?? []) };
}

/**
 * Returns the user and group that own files in containers: the calling user's. A rootless daemon shows this user as
 * root inside.
 */
async function callingUser(docker: Docker): Promise<string> {
  const info: unknown = await ask("asking for the daemon's options", docker.info());
  const options = fieldOf(info, "SecurityOptions");
  if (Array.isArray(options) && options.includes("name=rootless")) return "0:0";
  return `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`;
}

function parseVariables(variables: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    variables.map((variable) => {
      const [name = "", ...value] = variable.split("=");
      return [name, value.join("=")];
    }),
  );
}

/**
 * Opens a pool of containers, each with the same mounts. It has as many containers as the maximum of simultaneous
 * commands so far.
 */
async function openPool(
  docker: Docker,
  spec: SandboxSpec,
  plan: ContainerPlan,
  environment: Record<string, string>,
): Promise<Sandbox> {
  const options = containerOptions(spec, plan);
  const containers = new Set<CommandContainer>();
  const idle: CommandContainer[] = [];

  async function take(): Promise<CommandContainer> {
    for (let container = idle.pop(); container !== undefined; container = idle.pop()) {
      if (container.isUsable()) return container;
      await discard(container);
    }
    const container = await openContainer(docker, options);
    containers.add(container);
    return container;
  }
  async function discard(container: CommandContainer): Promise<void> {
    containers.delete(container);
    await container.remove();
  }
  async function run(command: Command, pipes?: CommandPipes): Promise<CommandResult> {
    const container = await take();
    try {
      return await container.run(command, pipes);
    } finally {
      if (container.isUsable()) idle.push(container);
      else await discard(container);
    }
  }

  idle.push(await take());
  return createSandbox({
    name: "docker",
    home: plan.home,
    environment,
    run,
    async dispose() {
      await Promise.all([...containers].map(discard));
      await removeOverlays(docker, spec, plan);
    },
  });
}

/** Removes the overlays. Never throws: the sweep removes leftovers. */
async function removeOverlays(docker: Docker, spec: SandboxSpec, plan: ContainerPlan): Promise<void> {
  for (const name of plan.volumes.values()) {
    await ask("removing a volume", docker.getVolume(name).remove({ force: true })).catch(() => {});
  }
  const overlays = [...plan.volumes.keys()];
  if (overlays.length > 0 && process.getuid?.() !== 0 && plan.user !== "0:0") {
    await emptyWorkFolders(docker, spec, plan, overlays).catch(() => {});
  }
  await Promise.all(overlays.map(tidyOverlay));
}

/**
 * Empties the overlays' working folders. The daemon mounted the overlays as root, so these folders belong to root, and
 * root has to empty them.
 */
async function emptyWorkFolders(
  docker: Docker,
  spec: SandboxSpec,
  plan: ContainerPlan,
  overlays: readonly OverlayMount[],
): Promise<void> {
  const mounts = overlays.map(({ changes }, index) => ({
    mode: "read-write" as const,
    source: join(changes, "work"),
    target: `/mnt/${index}`,
  }));
  const options = containerOptions({ ...spec, mounts }, { ...plan, user: "0:0", volumes: new Map() });
  const container = await openContainer(docker, options);
  try {
    const run = "chmod 700 /mnt/*/work; rm -rf /mnt/*/work/*";
    await container.run({ run, cwd: "/", env: { PATH: "/usr/bin:/bin" }, timeoutMs: 30_000 });
  } finally {
    await container.remove();
  }
}
