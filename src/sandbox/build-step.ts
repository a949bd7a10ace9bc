/** Runs the command of an image's layer: the same for every store that builds layers. */
import { renderOutput } from "../base/captured-output.ts";
import { MillwrightError } from "../base/errors.ts";
import type { Command, CommandResult, ImageLayer, Mount } from "./contract.ts";

/** The folder of a layer's files in the sandbox. It is on a temporary file system, so no image contains it. */
const filesTarget = "/run/millwright-files";

/** Returns the mount of the layer's files; none without files. */
export function layerMounts({ files }: ImageLayer): Mount[] {
  return files === undefined ? [] : [{ mode: "read-only", source: files, target: filesTarget }];
}

/**
 * Runs the layer's command with `execute`. Throws MillwrightError("repository") if the command fails, and AbortError
 * once the signal aborts.
 */
export async function runLayerCommand(
  layer: ImageLayer,
  execute: (command: Command) => Promise<CommandResult>,
  signal: AbortSignal,
): Promise<void> {
  const result = await execute({
    run: layer.run,
    cwd: layer.files === undefined ? "/" : filesTarget,
    env: { HOME: "/root", DEBIAN_FRONTEND: "noninteractive", ...layer.variables },
    timeoutMs: layer.limitMs,
    signal,
  });
  signal.throwIfAborted();
  if (result.end === "exited" && result.exitCode === 0) return;
  const end = result.end === "exited" ? `exit code ${result.exitCode}` : result.end;
  const output = [result.stdout, result.stderr].map(renderOutput).join("\n").trim();
  const last = output.split("\n").slice(-5).join(" | ").slice(-600);
  throw new MillwrightError("repository", `a step of the image ${layer.name} failed (${end}): ${last}`, {
    hint: `The step is: ${layer.run}`,
  });
}
