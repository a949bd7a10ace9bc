import { existsSync, lstatSync, mkdirSync, realpathSync, statSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MillwrightError } from "../base/errors.ts";
import { recoverApply } from "./apply-journal.ts";
import { openCheckout } from "./checkout.ts";
import type { Checkout, Workspace, WorkspaceSandbox } from "./contract.ts";
import type { HostEnvironment } from "./environment.ts";
import { makeGitDirectory } from "./git.ts";
import { choosePaths, planIgnored } from "./ignored-folders.ts";
import { withDiskErrors } from "./infrastructure-errors.ts";
import { refreshCopy } from "./kept-copy.ts";
import { listRepositoryFiles } from "./repository-files.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";
import { openPrivateStore } from "./tree-store.ts";
import { readRecord, type WorkspaceRecord, writeRecord } from "./workspace-record.ts";

export interface WorkspaceOptions {
  /** The user's folder: a git repository, a folder of one, or any folder. */
  readonly repository: string;
  /** An existing host folder of this run alone. */
  readonly directory: string;
  /** The host's folder with our runtime files (`src/languages/runtime`). */
  readonly runtimeDirectory: string;
  readonly sandbox: WorkspaceSandbox;
  /** Resumes: the base tree of an earlier `openWorkspace` on the same `directory`. The user's files are not read again. */
  readonly base?: string | undefined;
  /** Goes on with what an earlier workspace of the same repository left in `directory`, and leaves it for the next. */
  readonly isKept?: boolean;
  readonly signal?: AbortSignal;
  /** What the commands' environment is rebuilt from; default our own. */
  readonly hostEnvironment?: HostEnvironment;
}

/** The folder of a kept workspace's first checkout. */
const keptName = "kept";

/** Our own package: its programs and its Node are no part of the user's PATH. */
export const ownFolder = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/**
 * Copies the repository as it is now into `directory`. Throws MillwrightError: "repository" when it cannot be read, "disk" when
 * the copy cannot be written, "usage" when there is no such folder.
 */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const repository = findRepository(options.repository);
  const directory = realpathSync(options.directory);
  return withDiskErrors(directory, async () => {
    const checkouts = join(directory, "checkouts");
    if (options.isKept) await removeOthers(checkouts);
    else await rm(checkouts, { recursive: true, force: true });
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
  throw new MillwrightError("usage", `${path} is no folder`, {
    hint: "Give a repository's folder with --repo.",
  });
}

/** What is kept is the first checkout; another one may be left of a process that died. */
async function removeOthers(checkouts: string): Promise<void> {
  const names = existsSync(checkouts) ? await readdir(checkouts) : [];
  const others = names.filter((name) => name !== keptName);
  await Promise.all(others.map((name) => rm(join(checkouts, name), { recursive: true, force: true })));
}

async function copyRepository(
  { repository, directory, isKept, signal }: WorkspaceOptions,
  home: string | undefined,
): Promise<WorkspaceRecord> {
  const gitDirectory = join(directory, "store");
  const found = await listRepositoryFiles({ repository, directory, home });
  const { files, ignored, git } = found;
  const copyAll = async (): Promise<Snapshot> => {
    await rm(gitDirectory, { recursive: true, force: true });
    await makeGitDirectory(gitDirectory, found.ignoreRules);
    return takeSnapshot({ repository, files, ignored, gitDirectory, signal });
  };
  const snapshot = isKept ? await refreshCopy({ repository, directory, found, copyAll }) : await copyAll();
  const isOwnFolder = git !== undefined && lstatSync(join(repository, ".git")).isDirectory();
  const record: WorkspaceRecord = {
    repository,
    base: snapshot.tree,
    commit: found.commit,
    ignored: [...choosePaths(repository, ignored, directory), ...(isOwnFolder ? [".git"] : [])],
    linkedGit: git === undefined || isOwnFolder ? undefined : git,
    emptyFolders: snapshot.emptyFolders,
    times: snapshot.times,
    notices: snapshot.notices,
  };
  await writeRecord(directory, record);
  return record;
}

function makeWorkspace(
  options: WorkspaceOptions & { hostEnvironment: HostEnvironment },
  record: WorkspaceRecord,
  checkouts: string,
): Workspace {
  const { repository, sandbox } = options;
  const store = openPrivateStore(join(options.directory, "store"));
  const plan = planIgnored(repository, record.ignored, sandbox.mounts);
  const notices = new Set(record.notices);
  const open = new Set<Checkout>();
  let count = 0;
  return {
    repository,
    directory: options.directory,
    base: record.base,
    trees: store.contract,
    commit: record.commit,
    notices: () => [...notices],
    async openCheckout({ beside = [] } = {}) {
      count += 1;
      const isKept = options.isKept === true && count === 1;
      mkdirSync(checkouts, { recursive: true });
      const checkout = await openCheckout({
        ...record,
        store,
        plan,
        sandbox,
        runtimeDirectory: realpathSync(options.runtimeDirectory),
        hostEnvironment: options.hostEnvironment,
        ownFolders: [ownFolder],
        directory: join(checkouts, isKept ? keptName : String(count)),
        isKept,
        beside,
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
      if (!options.isKept) await rm(checkouts, { recursive: true, force: true });
      store.objects.close();
    },
  };
}
