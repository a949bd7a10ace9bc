import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeMountPoint } from "./mounts.ts";
import type { HostView } from "./toolchain.ts";

/** The folders in a sandbox's state directory that stand for `/tmp`, the home folder and what is hidden. */
export interface StateFolders {
  readonly temporary: string;
  readonly home: string;
  readonly emptyFolder: string;
  readonly emptyFile: string;
}

/** Makes them, with the mount points that lie in the home folder. */
export async function prepareState(
  stateDirectory: string,
  view: HostView | undefined,
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
  for (const { source, target } of view?.folders ?? []) {
    if (view === undefined || !target.startsWith(`${view.home}/`)) continue;
    await makeMountPoint(source, join(state.home, target.slice(view.home.length)));
  }
  return state;
}
