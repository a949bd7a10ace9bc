import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { cacheFolderOf } from "../base/cache-folder.ts";
import { nameFirst } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { packageFolder } from "../base/own-files.ts";
import { recoverApply } from "./apply-journal.ts";
import { type BytePath, showPath } from "./byte-path.ts";
import { openCheckout, removeCheckout } from "./checkout.ts";
import type { Checkout, Workspace, WorkspaceSandbox } from "./contract.ts";
import { buildEnvironment, type HostEnvironment } from "./environment.ts";
import { makeGitDirectory } from "./git.ts";
import { isOwnGit } from "./git-folder.ts";
import { choosePaths, planIgnored } from "./ignored-folders.ts";
import { withDiskErrors } from "./infrastructure-errors.ts";
import { refreshCopy } from "./kept-copy.ts";
import { keepOwnPrograms, type OwnPrograms } from "./own-programs.ts";
import { listRepositoryFiles } from "./repository-files.ts";
import { findSecrets, openFolders } from "./secret-files.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { openPrivateStore } from "./tree-store.ts";
import { readRecord, type WorkspaceRecord, writeRecord } from "./workspace-record.ts";

export interface WorkspaceOptions {
  /** The user's folder: a git repository, a folder in one, or any folder. */
  readonly repository: string;
  /** An existing host folder for this run only. */
  readonly directory: string;
  /** The host's folder with our runtime files (`src/languages/runtime`). */
  readonly runtimeDirectory: string;
  readonly sandbox: WorkspaceSandbox;
  /**
   * For resuming: the base tree of an earlier `openWorkspace` on the same `directory`. Millwright does not read the
   * user's files again.
   */
  readonly base?: string | undefined;
  /**
   * True to reuse the files that an earlier workspace of the same repository left in `directory`. Also keeps them for
   * the next workspace.
   */
  readonly isKept?: boolean;
  /** Omits untracked and ignored files that may hold keys (`secret-files.ts`), except the files listed here. Absent: omits none. */
  readonly withoutSecrets?: { readonly shared: readonly string[] } | undefined;
  readonly signal?: AbortSignal;
  /** The environment from which Millwright builds the environment of commands; default: our own. */
  readonly hostEnvironment?: HostEnvironment;
  /** The repository's path for models and people; default: its own. */
  readonly shownRoot?: string;
}

/** The folder of a kept workspace's first checkout. */
const keptName = "kept";

/**
 * Copies the repository's current state into `directory`. With `base`, instead opens the existing copy. Throws
 * MillwrightError: "usage" if there is no such repository, "repository" if it cannot be read, "disk" if the copy cannot
 * be written or is damaged.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const repository = findRepository(options.repository);
  const directory = realpathSync(options.directory);
  return withDiskErrors(directory, async () => {
    const checkouts = join(directory, "checkouts");
    if (options.isKept) await removeOthers(checkouts);
    else await removeCheckouts(checkouts);
    await recoverApply(directory);
    const host = options.hostEnvironment ?? process.env;
    const record =
      options.base === undefined
        ? await copyRepository({ ...options, repository, directory }, host["HOME"])
        : await readRecord(directory, options.base);
    return makeWorkspace({ ...options, repository, directory, hostEnvironment: host }, record, checkouts);
  });
}

function findRepository(path: string): string {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status?.isDirectory()) return realpathSync(path);
  throw new MillwrightError("usage", `${path} is not a folder`, {
    hint: "Give the folder of a repository.",
  });
}

/** Removes all checkouts but the kept first one. A dead process may have left them. */
async function removeOthers(checkouts: string): Promise<void> {
  const names = existsSync(checkouts) ? await readdir(checkouts) : [];
  const others = names.filter((name) => name !== keptName);
  await Promise.all(others.map((name) => removeCheckout(join(checkouts, name))));
}

/**
 * Removes the folder `checkouts` of a workspace, with every checkout in it. Does not check whether a process still uses
 * them: the caller must know that none does.
 */
export async function removeCheckouts(checkouts: string): Promise<void> {
  const names = existsSync(checkouts) ? await readdir(checkouts) : [];
  await Promise.all(names.map((name) => removeCheckout(join(checkouts, name))));
  await rm(checkouts, { recursive: true, force: true });
}

async function copyRepository(
  { repository, directory, isKept, signal, withoutSecrets }: WorkspaceOptions,
  home: string | undefined,
): Promise<WorkspaceRecord> {
  const gitDirectory = join(directory, "store");
  const all = await listRepositoryFiles({ repository, directory, home });
  const listed =
    withoutSecrets === undefined ? all : { ...all, ignored: openFolders(repository, all.ignored) };
  const secrets =
    withoutSecrets === undefined
      ? new Set<BytePath>()
      : findSecrets(repository, [...listed.untracked, ...listed.ignored], withoutSecrets.shared);
  const isShown = (path: BytePath): boolean => !secrets.has(path);
  const found = { ...listed, files: listed.files.filter(isShown), ignored: listed.ignored.filter(isShown) };
  const { files, ignored, git } = found;
  const copyAll = async (): Promise<Snapshot> => {
    await rm(gitDirectory, { recursive: true, force: true });
    await makeGitDirectory(gitDirectory, found.ignoreRules);
    return takeSnapshot({ repository, files, ignored, gitDirectory, signal });
  };
  const snapshot = isKept ? await refreshCopy({ repository, directory, found, copyAll }) : await copyAll();
  const isOwnFolder = git !== undefined && lstatSync(join(repository, ".git")).isDirectory();
  const linkedGit = git === undefined || isOwnFolder ? undefined : git;
  const hidesGit =
    linkedGit !== undefined &&
    withoutSecrets?.shared.includes(".git") === false &&
    !(await isOwnGit(repository, linkedGit));
  const leftOut = [...secrets, ...(hidesGit ? [".git"] : [])];
  const record: WorkspaceRecord = {
    repository,
    base: snapshot.tree,
    commit: found.commit,
    ignored: [...choosePaths(repository, ignored, directory), ...(isOwnFolder ? [".git"] : [])],
    linkedGit: hidesGit ? undefined : linkedGit,
    emptyFolders: snapshot.emptyFolders,
    times: snapshot.times,
    notices: [...snapshot.notices, ...(leftOut.length === 0 ? [] : [describeSecrets(leftOut)])],
  };
  await writeRecord(directory, record);
  return record;
}

function describeSecrets(paths: readonly BytePath[]): string {
  const names = paths.map(showPath).sort();
  return `left out because they may contain keys: ${nameFirst(names, 5)}; show one with --share FILE`;
}

/**
 * Opens the folder of our programs only where commands cannot change them, because these programs also judge later
 * runs.
 */
function openOwnPrograms(
  { provider, image }: WorkspaceSandbox,
  host: HostEnvironment,
  runtimeDirectory: string,
): OwnPrograms | undefined {
  if (!provider.boundary || image !== undefined) return undefined;
  const folder = join(cacheFolderOf(host), "programs");
  const environment = buildEnvironment(host, { ownFolders: [packageFolder] });
  return keepOwnPrograms({ folder, runtimeDirectory, environment });
}

function makeWorkspace(
  options: WorkspaceOptions & { hostEnvironment: HostEnvironment },
  record: WorkspaceRecord,
  checkouts: string,
): Workspace {
  const { repository, sandbox, shownRoot = repository } = options;
  const store = openPrivateStore(join(options.directory, "store"));
  const plan = planIgnored(repository, record.ignored, sandbox.mounts);
  const notices = new Set(record.notices);
  const runtimeDirectory = realpathSync(options.runtimeDirectory);
  const ownPrograms = openOwnPrograms(sandbox, options.hostEnvironment, runtimeDirectory);
  const open = new Set<Checkout>();
  let count = 0;
  return {
    repository,
    shownRoot,
    directory: options.directory,
    base: record.base,
    trees: store.contract,
    isolated: sandbox.provider.boundary && !sandbox.network,
    commit: record.commit,
    notices: () => [...notices],
    async openCheckout({ beside = [], shown = [], isReadHere = false } = {}) {
      count += 1;
      const isKept = options.isKept === true && count === 1;
      mkdirSync(checkouts, { recursive: true });
      const checkout = await openCheckout({
        ...record,
        repository,
        store,
        plan,
        sandbox,
        runtimeDirectory,
        ownPrograms,
        hostEnvironment: options.hostEnvironment,
        ownFolders: [packageFolder],
        directory: join(checkouts, isKept ? keptName : String(count)),
        isKept,
        beside,
        shown,
        shownRoot,
        isReadHere,
        onNotice: (notice) => notices.add(notice),
      });
      open.add(checkout);
      return {
        ...checkout,
        close() {
          open.delete(checkout);
          return checkout.close();
        },
      };
    },
    async close() {
      await Promise.all([...open].map((checkout) => checkout.close()));
      open.clear();
      if (!options.isKept) await removeCheckouts(checkouts);
      store.objects.close();
    },
  };
}
