/**
 * Finds the files of a tree by path, for the tools of `editor-tools.ts`. Explains in words which files may not be read
 * or written.
 */
import { isUtf8 } from "node:buffer";
import { posix } from "node:path";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import { findNameProblem, isForbiddenName } from "../../workspace/forbidden-names.ts";
import { largestText } from "../../workspace/text-files.ts";

export type TreePlace =
  | { readonly kind: "file"; readonly path: string; readonly text: string }
  | { readonly kind: "folder"; readonly path: string; readonly files: readonly string[] }
  /** A path that no file has yet, and that a new file may get. */
  | { readonly kind: "free"; readonly path: string };

/**
 * Finds the file, folder or still unused name at a path. Refuses links, forbidden names, paths outside the repository,
 * and files that are large or not text. `root`: the prefix of absolute paths.
 */
export async function lookUp(
  trees: TreeStore,
  tree: string,
  { root, path: given }: { readonly root: string; readonly path: string },
): Promise<Result<TreePlace, "refused">> {
  const path = relativeTo(root, given);
  if (path === undefined) return fail("refused", `${given} is outside the repository.`);
  if (path !== "" && path.split("/").some(isForbiddenName))
    return fail("refused", `${given} is not a path of a file in the repository.`);
  const entries = await trees.list(tree);
  const entry = entries.find((each) => each.path === path);
  if (entry !== undefined) {
    if (entry.mode === "120000") return fail("refused", `${path} is a symbolic link: open its target.`);
    return readText(trees, tree, path);
  }
  const below = entries.map((each) => each.path).filter((each) => path === "" || each.startsWith(`${path}/`));
  if (below.length > 0 || path === "") return succeed({ kind: "folder", path, files: below });
  const above = entries.find((each) => path.startsWith(`${each.path}/`));
  if (above !== undefined) return fail("refused", `${above.path} is not a folder.`);
  const problem = findNameProblem(path);
  return problem === undefined ? succeed({ kind: "free", path }) : fail("refused", `${given} ${problem}.`);
}

function relativeTo(root: string, given: string): string | undefined {
  const path = posix.normalize(given).replace(/\/$/, "");
  if (path === "." || path === root) return "";
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return path.startsWith("/") || path === ".." || path.startsWith("../") || path.includes("\0")
    ? undefined
    : path;
}

async function readText(trees: TreeStore, tree: string, path: string): Promise<Result<TreePlace, "refused">> {
  const content = (await trees.read(tree, path)) ?? Buffer.alloc(0);
  if (content.length > largestText) return fail("refused", `${path} is too large: ${content.length} bytes.`);
  if (content.includes(0) || !isUtf8(content)) return fail("refused", `${path} is not UTF-8 text.`);
  return succeed({ kind: "file", path, text: content.toString("utf8") });
}
