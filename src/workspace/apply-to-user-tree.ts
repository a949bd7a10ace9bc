/** Writes a patch into the user's own files: once, at the end of a run, completely or not at all. */
import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { isSystemError } from "../base/errors.ts";
import { fail, type Result, succeed } from "../base/result.ts";
import {
  type ApplyPlan,
  type ApplyStep,
  commitSteps,
  prepareSteps,
  recoverApply,
  undoSteps,
} from "./apply-journal.ts";
import { type BytePath, foldersOf, hostPath, parentOf, parsePath } from "./byte-path.ts";
import type { TreeEntry, Workspace } from "./contract.ts";
import { statNow } from "./file-status.ts";
import { readFileOnce } from "./user-files.ts";

interface Change {
  readonly shown: string;
  readonly path: BytePath;
  readonly from: TreeEntry | undefined;
  readonly to: TreeEntry | undefined;
}

/**
 * Writes the changes between the workspace's base and `tree` into the user's files, and returns the paths of the
 * changes. Skips files that already equal those in `tree`. If another file differs from the base, or the repository is
 * not writable, fails and writes nothing. After a crash, `recoverApply` finishes or undoes the work.
 */
export async function applyToUserTree(
  workspace: Workspace,
  tree: string,
): Promise<Result<readonly string[], "changed-since" | "not-writable">> {
  await recoverApply(workspace.directory);
  const changes = await listChanges(workspace, tree);
  const paths = changes.map((change) => change.shown);
  const removed = new Set(changes.filter((change) => change.to === undefined).map((change) => change.path));
  const states = await Promise.all(
    changes.map((change) =>
      isBlocked(workspace.repository, change, removed) ? "changed" : readState(workspace, tree, change),
    ),
  );
  if (states.every((state) => state === "applied")) return succeed(paths);
  const others = paths.filter((_, index) => states[index] === "changed");
  if (others.length > 0) {
    const names = others.join(", ");
    return fail(
      "changed-since",
      `Millwright wrote nothing, because these files changed since the run began: ${names}`,
    );
  }
  const pending = changes.filter((_, index) => states[index] === "base");
  const plan: ApplyPlan = {
    directory: workspace.directory,
    repository: workspace.repository,
    steps: pending.map(({ shown, path, from, to }, index) =>
      planStep(
        workspace.repository,
        { shown, path, exists: from !== undefined, mode: to?.mode ?? null },
        index,
      ),
    ),
  };
  const read = async (step: ApplyStep): Promise<Buffer> =>
    (await workspace.trees.read(tree, step.shown)) ?? Buffer.alloc(0);
  return carryOut(plan, read, paths);
}

/** Performs all steps of a plan, or none. Returns `paths`, or a failure if the repository is not writable. */
export async function carryOut(
  plan: ApplyPlan,
  read: (step: ApplyStep) => Promise<Buffer>,
  paths: readonly string[],
): Promise<Result<readonly string[], "not-writable">> {
  try {
    const prepared = await prepareSteps(plan, read);
    await commitSteps(prepared).catch(async (error: unknown) => {
      await undoSteps(prepared);
      throw error;
    });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return fail("not-writable", `the repository is not writable, and nothing was changed: ${error.message}`);
  }
  return succeed(paths);
}

async function listChanges({ trees, base }: Workspace, tree: string): Promise<Change[]> {
  const before = new Map((await trees.list(base)).map((entry) => [entry.path, entry]));
  const after = new Map((await trees.list(tree)).map((entry) => [entry.path, entry]));
  const changes: Change[] = [];
  for (const shown of new Set([...before.keys(), ...after.keys()])) {
    const from = before.get(shown);
    const to = after.get(shown);
    const path = parsePath(shown);
    const isSame = from?.blob === to?.blob && from?.mode === to?.mode;
    if (path !== undefined && !isSame) changes.push({ shown, path, from, to });
  }
  return changes;
}

/** True if a file or a link blocks the file's folder, and the patch does not remove it. */
function isBlocked(repository: string, { path, to }: Change, removed: ReadonlySet<BytePath>): boolean {
  if (to === undefined) return false;
  return [...foldersOf([path])].some((folder) => {
    const status = statNow(hostPath(repository, folder));
    return status !== undefined && !status.isDirectory() && !removed.has(folder);
  });
}

/** Compares the user's file: as in the base, already as in the tree, or different. */
async function readState(workspace: Workspace, tree: string, change: Change) {
  const { base } = workspace;
  if (await isEqual(workspace, base, change, change.from)) return "base";
  return (await isEqual(workspace, tree, change, change.to)) ? "applied" : "changed";
}

async function isEqual(
  workspace: Workspace,
  tree: string,
  { path, shown }: Change,
  entry: TreeEntry | undefined,
): Promise<boolean> {
  const { repository } = workspace;
  const status = statBelow(repository, path);
  if (entry === undefined || status === undefined) return entry === undefined && isFree(status);
  const file = readFileOnce(hostPath(repository, path), shown);
  if (file === undefined || typeof file === "string" || file.mode !== entry.mode) return false;
  const content = await workspace.trees.read(tree, shown);
  return content?.equals(file.content) ?? false;
}

/** True if the path is free. A folder does not block yet: the patch may remove all its contents. */
function isFree(status: Stats | undefined): boolean {
  return status?.isDirectory() ?? true;
}

/** Returns the status of the file; undefined if it does not exist or is behind a link. */
function statBelow(repository: string, path: BytePath): Stats | undefined {
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) {
    const status = statNow(hostPath(repository, folder));
    if (status === undefined || !status.isDirectory()) return undefined;
  }
  return statNow(hostPath(repository, path));
}

/**
 * Plans one step. Puts temporary files (new contents and hard links) into the repository's root: a folder that the
 * patch empties must be removable. If the file is on another disk, puts them into the file's own folder: files cannot
 * be renamed across disks.
 */
export function planStep(
  repository: string,
  { shown, path, exists, mode }: Pick<ApplyStep, "shown" | "path" | "mode"> & { readonly exists: boolean },
  index: number,
): ApplyStep {
  const disk = statBelow(repository, path)?.dev ?? statBelow(repository, parentOf(path))?.dev;
  const isOtherDisk = disk !== undefined && disk !== statNow(repository)?.dev;
  const folder = isOtherDisk && parentOf(path) !== "" ? `${parentOf(path)}/` : "";
  const stem = `${folder}.millwright-${randomBytes(4).toString("hex")}-${index}`;
  return {
    shown,
    path,
    mode,
    fresh: mode === null ? null : `${stem}.new`,
    original: exists ? `${stem}.old` : null,
  };
}
