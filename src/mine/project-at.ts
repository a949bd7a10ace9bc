/** Reads facts about the project from a commit's files and tags. */
import { posix } from "node:path";
import type { ProjectView } from "../languages/contract.ts";
import type { TreeStore } from "../workspace/contract.ts";
import { runForeignGit } from "../workspace/foreign-git.ts";

/** Names of the files that recipes read, in the root or in a member of a workspace. */
const manifests = new Set([
  "Cargo.toml",
  "go.mod",
  "package.json",
  "pnpm-lock.yaml",
  "pom.xml",
  "pyproject.toml",
  "setup.cfg",
  "setup.py",
  "tox.ini",
]);

/** Reads a view of a tree's files. The view contains only the texts of manifests. */
export async function readProject(store: TreeStore, tree: string): Promise<ProjectView> {
  const files = (await store.list(tree)).map(({ path }) => path);
  const present = new Set(files);
  const texts = new Map<string, string>();
  for (const path of files.filter((each) => manifests.has(posix.basename(each)))) {
    const content = await store.read(tree, path);
    if (content !== undefined) texts.set(path, content.toString("utf8"));
  }
  return { files, read: (path) => texts.get(path), exists: (path) => present.has(path) };
}

/**
 * Returns the version number in the nearest tag at or before the commit; "" without a tag, or if its name contains no
 * number such as `1.2`.
 */
export async function readVersion(gitDirectory: string, commit: string): Promise<string> {
  const { stdout } = await runForeignGit({
    gitDirectory,
    arguments: ["describe", "--tags", "--abbrev=0", commit],
    answers: [0, 128],
  });
  return /\d+(?:\.\d+)+\S*/.exec(stdout.toString("utf8"))?.[0] ?? "";
}
