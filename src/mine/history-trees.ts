/**
 * Reads the trees of a clone's history, and stores new ones. Our own git directory reads the clone's objects, and never
 * writes to the clone.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { makeFolders } from "../base/make-folders.ts";
import { showPath } from "../workspace/byte-path.ts";
import type { TreeStore } from "../workspace/contract.ts";
import { makeGitDirectory } from "../workspace/git.ts";
import { openPrivateStore } from "../workspace/tree-store.ts";

export interface HistoryTrees {
  readonly store: TreeStore;
  /** Returns the tree of a commit, by its full id. */
  treeOf(commit: string): Promise<string>;
  /** Returns the paths whose content or mode differs. */
  changed(from: string, to: string): Promise<string[]>;
  close(): void;
}

/** Opens the trees of a repository's commits. Stores new trees in `folder`; later processes can reuse this folder. */
export async function openHistoryTrees(folder: string, gitDirectory: string): Promise<HistoryTrees> {
  if (!existsSync(join(folder, "HEAD"))) {
    await makeFolders(folder);
    await makeGitDirectory(folder, "");
  }
  await makeFolders(join(folder, "objects", "info"));
  await writeFile(join(folder, "objects", "info", "alternates"), `${join(gitDirectory, "objects")}\n`);
  const { contract, objects, trees } = openPrivateStore(folder);
  return {
    store: contract,
    async treeOf(commit) {
      const text = (await objects.read(commit)).toString("latin1");
      return /^tree ([0-9a-f]+)$/m.exec(text)?.[1] ?? commit;
    },
    async changed(from, to) {
      const changes = await trees.compare(from, to);
      return changes.map(({ path }) => showPath(path)).sort();
    },
    close: () => objects.close(),
  };
}
