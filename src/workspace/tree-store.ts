import { mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { applyPatch } from "./apply-patch.ts";
import { type BytePath, parsePath, showPath } from "./byte-path.ts";
import { composeCandidates } from "./compose.ts";
import type { FileChange, TreeStore } from "./contract.ts";
import { isForbiddenName } from "./forbidden-names.ts";
import { withDiskErrors } from "./infrastructure-errors.ts";
import { type ObjectStore, openObjectStore } from "./objects.ts";
import { rememberAnswers } from "./remember-answers.ts";
import { countChangedLines, diffTrees } from "./tree-diff.ts";
import { createTrees, type Entry, type Trees } from "./trees.ts";

/** The trees of a run: the contract `TreeStore`, and further access for the other modules of this folder. */
export interface PrivateStore {
  readonly gitDirectory: string;
  readonly objects: ObjectStore;
  readonly trees: Trees;
  readonly contract: TreeStore;
}

/** Number of remembered diffs. A gate asks for the same patch about ten times. */
const rememberedDiffs = 16;

/** Opens the store in a folder from `makeGitDirectory`. */
export function openPrivateStore(gitDirectory: string): PrivateStore {
  const objects = openObjectStore(gitDirectory);
  const trees = createTrees(objects);
  const guard = <T>(work: () => Promise<T>): Promise<T> => withDiskErrors(gitDirectory, work);
  const contract: TreeStore = {
    async list(tree) {
      const files = [...(await trees.list(tree))].map(([path, { mode, id }]) => ({
        path: showPath(path),
        mode,
        blob: id,
      }));
      return files.sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async read(tree, path) {
      const bytePath = parsePath(path);
      const entry = bytePath === undefined ? undefined : await trees.find(tree, bytePath);
      return entry === undefined ? undefined : objects.read(entry.id);
    },
    write: (tree, changes) => guard(() => writeChanges(objects, trees, tree, changes)),
    diff: rememberAnswers(rememberedDiffs, (from, to) =>
      guard(() =>
        withTemporaryFolder(gitDirectory, (folder) =>
          diffTrees({ gitDirectory, objects, trees, from, to }, folder),
        ),
      ),
    ),
    stat: rememberAnswers(rememberedDiffs, (from, to) => countChangedLines(gitDirectory, from, to)),
    apply: (tree, patch) =>
      guard(() =>
        withTemporaryFolder(gitDirectory, (folder) => applyPatch(gitDirectory, folder, tree, patch)),
      ),
    compose: (base, candidates, treeOf) =>
      guard(() =>
        withTemporaryFolder(gitDirectory, (folder) =>
          composeCandidates({ gitDirectory, folder, objects, trees, base, candidates, treeOf }),
        ),
      ),
  };
  return { gitDirectory, objects, trees, contract };
}

async function withTemporaryFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(parent, "temporary-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function writeChanges(
  objects: ObjectStore,
  trees: Trees,
  tree: string,
  changes: readonly FileChange[],
): Promise<string> {
  const edits = new Map<BytePath, Entry | null>();
  for (const { path, content, mode } of changes) {
    const bytePath = checkPath(path);
    if (content === null) {
      edits.set(bytePath, null);
      continue;
    }
    const present = mode ?? (await trees.find(tree, bytePath))?.mode ?? "100644";
    edits.set(bytePath, { mode: present, id: objects.write("blob", Buffer.from(content)) });
  }
  return trees.edit(tree, edits);
}

function checkPath(path: string): BytePath {
  const bytePath = parsePath(path);
  const isSafe =
    bytePath !== undefined &&
    !bytePath.includes("\0") &&
    !bytePath.split("/").some((name) => isForbiddenName(name));
  if (isSafe) return bytePath;
  throw new MillwrightError("usage", `${JSON.stringify(path)} is not a path of a file in the repository`);
}
