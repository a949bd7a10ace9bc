import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isInside, makeMountPoint } from "./mounts.ts";

/**
 * The home folder in sandboxes with an image. Millwright mounts a home folder there. A mount at the image's own home
 * folder could hide a toolchain.
 */
export const imageHome = "/home/millwright";

/** The folders in a sandbox's state directory for `/tmp`, the home folder and hidden paths. */
export interface StateFolders {
  readonly temporary: string;
  readonly home: string;
  readonly emptyFolder: string;
  readonly emptyFile: string;
}

/**
 * Creates the folders and the mount points inside them. Otherwise the back end would create the mount points as root.
 * `home`: the home folder that commands see. `mounts`: all mounts.
 */
export async function prepareState(
  stateDirectory: string,
  home: string,
  mounts: readonly { readonly source: string; readonly target: string }[],
): Promise<StateFolders> {
  const state = {
    temporary: join(stateDirectory, "tmp"),
    home: join(stateDirectory, "home"),
    emptyFolder: join(stateDirectory, "empty"),
    emptyFile: join(stateDirectory, "empty-file"),
  };
  for (const folder of [state.temporary, state.home, state.emptyFolder]) {
    await mkdir(folder, { recursive: true });
  }
  await writeFile(state.emptyFile, "");
  const shown: [string, string][] = [
    [home, state.home],
    ["/tmp", state.temporary],
  ];
  for (const { source, target } of mounts) {
    // The deeper of the two, if the home folder is in /tmp.
    const place = shown.find(([path]) => isInside(target, path));
    if (place !== undefined) await makeMountPoint(source, place[1], target.slice(place[0].length));
  }
  return state;
}
