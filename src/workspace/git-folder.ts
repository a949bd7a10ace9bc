/**
 * The `.git` of a repository whose own is a file that names a folder elsewhere (a linked work tree, a submodule). The copy gets
 * a `.git` folder of its own, since commands that follow the file would write to the user's.
 */
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Mount, MountSupport } from "../sandbox/contract.ts";
import { runGit } from "./git.ts";
import { copyIgnored, exceedsCopy } from "./ignored-folders.ts";

export interface LinkedGit {
  /** Holds HEAD and the index. */
  readonly gitDirectory: string;
  /** Holds objects, references and configuration. */
  readonly commonDirectory: string;
}

/** What is a work tree's own, or would make git look elsewhere. */
const ownNames = ["HEAD", "index", "ORIG_HEAD", "MERGE_HEAD", "commondir", "gitdir", "worktrees", "modules"];

/** Copies into the folder `target`; objects that are to be mounted there are left out. */
export async function copyLinkedGit(
  linked: LinkedGit,
  target: string,
  support: MountSupport,
): Promise<string[]> {
  await mkdir(target, { recursive: true });
  const mounted = mountsObjects(linked, support);
  const names = (await readdir(linked.commonDirectory)).filter(
    (name) => !ownNames.includes(name) && !(mounted && name === "objects"),
  );
  const notices = await copyIgnored(linked.commonDirectory, names, target);
  for (const name of ["HEAD", "index", "ORIG_HEAD", "MERGE_HEAD"]) {
    const source = join(linked.gitDirectory, name);
    if (existsSync(source)) await copyFile(source, join(target, name));
  }
  await forgetWorkTree(target);
  await rm(join(target, "config.worktree"), { force: true });
  return notices;
}

/** A configuration may name the user's folder as its work tree: git would write there. */
export async function forgetWorkTree(gitDirectory: string): Promise<void> {
  const config = join(gitDirectory, "config");
  if (!existsSync(config)) return;
  const unset = ["config", "--file", config, "--unset-all", "core.worktree"];
  await runGit({ gitDirectory, arguments: unset, answers: [0, 5] });
}

/** The mount of its objects at `root`/.git/objects, where they are too many to be copied. */
export async function mountLinkedObjects(
  linked: LinkedGit,
  root: string,
  changes: string,
  support: MountSupport,
): Promise<Mount[]> {
  if (!mountsObjects(linked, support)) return [];
  await mkdir(changes, { recursive: true });
  const source = join(linked.commonDirectory, "objects");
  return [{ mode: "overlay", source, changes, target: join(root, ".git", "objects") }];
}

function mountsObjects({ commonDirectory }: LinkedGit, support: MountSupport): boolean {
  return support === "overlay" && exceedsCopy(join(commonDirectory, "objects"));
}
