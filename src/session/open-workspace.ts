/** Opens the private copy of a repository for a session. The only place that configures its sandbox. */
import type { RunDescription } from "../agent/run/run-store.ts";
import { MillwrightError } from "../base/errors.ts";
import { type SelectedSandbox, selectSandbox } from "../sandbox/index.ts";
import type { SandboxImage, Workspace, WorkspaceSandbox } from "../workspace/contract.ts";
import { openWorkspace, type WorkspaceOptions } from "../workspace/open-workspace.ts";
import type { Host } from "./host.ts";
import { runtimeDirectory } from "./runtime-directory.ts";
import { limitsOf } from "./setting-limits.ts";
import type { Settings } from "./settings.ts";

/** The sandbox rules from the settings or from a run's description. */
export interface SandboxRules {
  readonly network: boolean;
  readonly limits: Pick<RunDescription["limits"], "memoryBytes" | "cpus" | "processes">;
  readonly image?: SandboxImage | undefined;
}

export interface SessionWorkspace
  extends Pick<
    WorkspaceOptions,
    "repository" | "shownRoot" | "directory" | "base" | "isKept" | "signal" | "withoutSecrets"
  > {
  readonly host: Host;
  readonly sandbox: WorkspaceSandbox;
}

/** Opens the workspace of a session. Throws like `openWorkspace`. */
export function openSessionWorkspace({ host, ...options }: SessionWorkspace): Promise<Workspace> {
  return openWorkspace({ ...options, runtimeDirectory, hostEnvironment: host.environment });
}

/** Describes a workspace's sandbox. `owner`: the name by which a later sweep recognises the sandbox's leftovers. */
export function sandboxOf(
  { provider, availability }: SelectedSandbox,
  { network, limits, image }: SandboxRules,
  owner: string,
): WorkspaceSandbox {
  return {
    provider,
    mounts: availability.mounts,
    owner,
    network,
    limits,
    ...(image === undefined ? {} : { image }),
  };
}

export function sandboxRulesOf(settings: Settings): SandboxRules {
  return { network: settings.network, limits: limitsOf(settings), image: imageOf(settings) };
}

/**
 * Returns the settings' image for a run; undefined if they name no image. Throws MillwrightError("usage") for an
 * `imageRoot` or `imagePath` without an image.
 */
export function imageOf({
  image,
  imageRoot,
  imagePath,
}: Pick<Settings, "image" | "imageRoot" | "imagePath">): SandboxImage | undefined {
  if (image === undefined) {
    if (imageRoot === undefined && imagePath === undefined) return undefined;
    throw new MillwrightError("usage", "The settings have imageRoot or imagePath, but no image", {
      hint: 'Give the image as "image", too.',
    });
  }
  return {
    name: image,
    ...(imageRoot === undefined ? {} : { root: imageRoot }),
    ...(imagePath === undefined ? {} : { path: [...imagePath] }),
  };
}

/**
 * Selects the sandbox with this name, or for `auto` the strongest that works. Notifies the host about the sandbox's
 * limitations, and for `auto` also about stronger sandboxes that do not work.
 */
export async function chooseSandbox(name: string, { onNotice }: Host): Promise<SelectedSandbox> {
  const chosen = await selectSandbox(name);
  for (const { name: other, reason } of chosen.passedOver)
    onNotice({ level: "note", text: `no ${other} sandbox: ${reason}` });
  for (const text of chosen.availability.warnings) onNotice({ level: "warning", text });
  return chosen;
}
