/**
 * Finds the folder to copy for a target. For a member of a larger project, this is the project's folder, because the
 * member builds only there.
 */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { readTextIfRegular } from "../base/regular-file.ts";

/** Files that make a folder the root of other builds, if their text matches `isRoot`. */
const roots: readonly { readonly file: string; readonly isRoot: RegExp }[] = [
  { file: "Cargo.toml", isRoot: /^\s*\[workspace\b/m },
  { file: "package.json", isRoot: /"workspaces"\s*:/ },
  { file: "pnpm-workspace.yaml", isRoot: /^/ },
  { file: "go.work", isRoot: /^/ },
  { file: "pom.xml", isRoot: /<modules>/ },
];
/** A manifest with a path out of its own folder. */
const leadsOut = /\bpath\s*=\s*"\.\.\/|"(?:file|link|portal):\.\.\/|^\s*replace\b.*=>\s*\.\.\//m;

/**
 * Returns the outermost folder that the target's build needs, at most the repository's root. For an independent target,
 * the target itself.
 */
export function findProjectRoot(target: string): string {
  const above = foldersUpToRepository(target);
  const repository = above.at(-1);
  if (repository === undefined) return target;
  const outer = above.filter((folder) => roots.some((root) => isRootOf(folder, root)));
  if ([target, ...outer].some((folder) => leadsOut.test(manifestsOf(folder)))) return repository;
  return outer.at(-1) ?? target;
}

/** The parent folders of the target, up to the one with `.git`; empty if that is the target or there is none. */
function foldersUpToRepository(target: string): string[] {
  const folders: string[] = [];
  for (let folder = target; ; folder = dirname(folder)) {
    if (folder !== target) folders.push(folder);
    if (existsSync(join(folder, ".git"))) return folders;
    if (folder === dirname(folder)) return [];
  }
}

function isRootOf(folder: string, { file, isRoot }: (typeof roots)[number]): boolean {
  const text = readTextIfRegular(join(folder, file));
  return text !== undefined && isRoot.test(text);
}

function manifestsOf(folder: string): string {
  return ["Cargo.toml", "package.json", "go.mod"]
    .map((file) => readTextIfRegular(join(folder, file)) ?? "")
    .join("\n");
}
