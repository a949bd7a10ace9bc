/** Builds an image from another one and a command: the new image shares all layers of the other. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import { layerMounts, runLayerCommand } from "../build-step.ts";
import type { ImageLayer, SandboxSpec } from "../contract.ts";
import { imageHome, prepareState } from "../state-folders.ts";
import { ask, connectDocker } from "./client.ts";
import { openContainer } from "./container.ts";
import { containerOptions } from "./options.ts";

/** Milliseconds that the daemon may take to write a layer. */
const commitLimitMs = 600_000;

/**
 * Runs the layer's command as root in a container of `layer.from`, and stores the container's files as an image. Throws
 * MillwrightError("repository") if the command fails, and AbortError once the signal aborts.
 */
export async function buildLayer(layer: ImageLayer, signal: AbortSignal): Promise<void> {
  const docker = await connectDocker();
  const container = await openContainer(docker, await layerOptions(docker, layer));
  try {
    await runLayerCommand(layer, (command) => container.run(command), signal);
    await container.commit(layer.name, commitLimitMs);
  } finally {
    await container.remove();
  }
}

/**
 * Returns the options of a layer's container. Its command has root's rights, as in a build by Docker. The first process
 * and the limits are the same as in a sandbox.
 */
async function layerOptions(docker: Docker, layer: ImageLayer): Promise<Docker.ContainerCreateOptions> {
  const { stateDirectory } = layer;
  await mkdir(stateDirectory, { recursive: true });
  const spec: SandboxSpec = {
    ...{ owner: "", stateDirectory, network: true, limits: layer.limits },
    mounts: layerMounts(layer),
  };
  const state = await prepareState(join(stateDirectory, "state"), imageHome, spec.mounts);
  const plan = {
    image: layer.from,
    user: "0:0",
    home: imageHome,
    view: undefined,
    state,
    volumes: new Map(),
  };
  const options = containerOptions(spec, plan);
  return {
    ...options,
    // The image would get these labels, and so would every container of it. The container ends with our connection.
    Labels: {},
    HostConfig: {
      ...options.HostConfig,
      CapDrop: [],
      SecurityOpt: ["label=disable"],
      NetworkMode: (await hasBridge(docker)) ? "default" : "host",
    },
  };
}

/** False for a daemon whose containers have no network of their own. They can then only use the host's. */
async function hasBridge(docker: Docker): Promise<boolean> {
  const networks = await ask("listing networks", docker.listNetworks());
  return networks.some(({ Driver }) => Driver === "bridge");
}
