/**
 * A private copy of a repository that commands keep for later commands: one for each repository and toolchain, in the
 * user's cache. A later command does not read, write or build unchanged files again.
 */
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isRunAlive, lockRun } from "../agent/run/run-store.ts";
import { cacheFolderOf } from "../base/cache-folder.ts";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { chooseSandbox, openSessionWorkspace, sandboxOf, sandboxRulesOf } from "./open-workspace.ts";
import { runsDirectoryOf } from "./settings.ts";
import { sweepDeadRuns } from "./sweep-runs.ts";
import {
  type TemporaryWorkspace,
  type TemporaryWorkspaceOptions,
  withTemporaryWorkspace,
} from "./temporary-workspace.ts";

export interface KeptWorkspace extends TemporaryWorkspace {
  /** The host folder of this repository's kept data; undefined if this copy is temporary. */
  readonly directory: string | undefined;
}

export interface KeptWorkspaceOptions extends TemporaryWorkspaceOptions {
  /** The copy of another repository. Builds of this repository depend on it. */
  readonly over?: Pick<KeptWorkspace, "directory"> & { readonly folder: string };
}

/** Number of days without use after which Millwright removes a copy. */
const keptDays = 14;
/**
 * The name of a file in a copy's folder. It contains the repository's path. Its modification time is the time of the
 * last use.
 */
const ownerName = "repository";
/** The name of the file that names the other copy used in the last build. */
const overName = "over";

/**
 * Opens the kept workspace for `work`. Opens a temporary copy instead if another command uses the kept workspace. Also
 * does so if the copy named by `over` is temporary.
 */
export async function withKeptWorkspace<T>(
  options: KeptWorkspaceOptions,
  work: (opened: KeptWorkspace) => Promise<T>,
): Promise<T> {
  const { host, repository, settings, signal, over } = options;
  const temporary = (): Promise<T> =>
    withTemporaryWorkspace(options, (opened) => work({ ...opened, directory: undefined }));
  // Builds on a temporary copy, whose files have other times, must not be found later.
  if (over !== undefined && over.directory === undefined) return temporary();
  const all = join(cacheFolderOf(host.environment), "shadows");
  const directory = join(all, nameOf(options));
  await makeFolders(directory);
  const release = tryLock(directory);
  if (release === undefined) {
    const text =
      "another command uses the stored copy of this repository; this command makes a temporary copy";
    host.onNotice({ level: "note", text });
    return temporary();
  }
  try {
    noteUse(directory, repository);
    if (over !== undefined) keepOver(directory, over.folder);
    removeUnused(all);
    const chosen = await chooseSandbox(settings.sandbox, host);
    await sweepDeadRuns(runsDirectoryOf(settings, host.environment));
    const workspace = await openSessionWorkspace({
      host,
      repository,
      directory,
      isKept: true,
      signal,
      sandbox: sandboxOf(chosen, sandboxRulesOf(settings), basename(directory)),
    });
    try {
      return await work({ workspace, sandbox: chosen.provider.name, directory });
    } finally {
      await workspace.close();
    }
  } finally {
    release();
  }
}

/** Returns the copy's name. It includes the toolchain, because builds of different toolchains do not mix. */
function nameOf({
  host,
  repository,
  settings: { sandbox, image, imageRoot, imagePath },
}: KeptWorkspaceOptions): string {
  const { RUSTUP_TOOLCHAIN, VIRTUAL_ENV, RUSTFLAGS } = host.environment;
  const surroundings = [
    repository,
    sandbox,
    image,
    imageRoot,
    imagePath,
    RUSTUP_TOOLCHAIN,
    VIRTUAL_ENV,
    RUSTFLAGS,
  ];
  const name = basename(repository)
    .replaceAll(/[^\w.-]/g, "_")
    .slice(0, 40);
  return `${name}-${hashText(JSON.stringify(surroundings)).slice(0, 16)}`;
}

function tryLock(directory: string): (() => void) | undefined {
  try {
    return lockRun(directory);
  } catch (error) {
    if (error instanceof MillwrightError && error.code === "usage") return undefined;
    throw error;
  }
}

function noteUse(directory: string, repository: string): void {
  const path = join(directory, ownerName);
  if (!existsSync(path)) writeFileSync(path, `${repository}\n`);
  const now = new Date();
  utimesSync(path, now, now);
}

/** Discards builds that used a folder which was recreated since. The folder's files may be older than the builds. */
function keepOver(directory: string, folder: string): void {
  const { ino, birthtimeMs } = statSync(folder);
  const path = join(directory, overName);
  const now = `${folder} ${ino} ${birthtimeMs}\n`;
  if (existsSync(path) && readFileSync(path, "utf8") === now) return;
  rmSync(join(directory, "checkouts"), { recursive: true, force: true });
  writeFileSync(path, now);
}

/** Removes copies of repositories that are gone or were not used for weeks. */
function removeUnused(all: string): void {
  for (const name of readdirSync(all)) {
    const directory = join(all, name);
    const owner = join(directory, ownerName);
    if (!existsSync(owner) || isRunAlive(directory)) continue;
    const isOld = Date.now() - statSync(owner).mtimeMs > keptDays * 24 * 3600 * 1000;
    if (isOld || !existsSync(readFileSync(owner, "utf8").trimEnd())) {
      rmSync(directory, { recursive: true, force: true });
    }
  }
}
