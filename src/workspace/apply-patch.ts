import { join } from "node:path";
import { fail, type Result, succeed } from "../base/result.ts";
import { showPath, splitPaths } from "./byte-path.ts";
import { findNameProblem } from "./forbidden-names.ts";
import { runGit } from "./git.ts";

/**
 * Applies a unified diff to `tree` and returns the new tree. Fails if the diff does not fit, or adds a submodule or a
 * path that `findNameProblem` rejects. `folder`: an empty folder for the index.
 */
export async function applyPatch(
  gitDirectory: string,
  folder: string,
  tree: string,
  patch: string,
): Promise<Result<string, "patch-rejected">> {
  if (patch.trim() === "") return succeed(tree);
  const index = join(folder, "index");
  await runGit({ gitDirectory, index, arguments: ["read-tree", tree] });
  const applied = await runGit({
    gitDirectory,
    index,
    arguments: ["apply", "--cached", "--whitespace=nowarn", "-"],
    input: patch,
    answers: [0, 1, 128],
  });
  if (applied.exitCode !== 0) return fail("patch-rejected", applied.stderr.replace(/^(error|fatal): /gm, ""));
  const { stdout } = await runGit({ gitDirectory, index, arguments: ["write-tree"] });
  const made = stdout.toString("latin1").trim();
  const problem = await findProblem(gitDirectory, tree, made);
  return problem === undefined ? succeed(made) : fail("patch-rejected", problem);
}

/** Describes the first file of the patch that cannot be written; undefined if there is none. A patch brings no content of a submodule, and therefore adds
 * none. It may move one of the tree to another commit.
 */
async function findProblem(gitDirectory: string, from: string, to: string): Promise<string | undefined> {
  const names = ["diff-tree", "-r", "-z", "--no-renames", "--diff-filter=d", from, to];
  const { stdout } = await runGit({ gitDirectory, arguments: names });
  const parts = splitPaths(stdout);
  // In turn `:OLD-MODE NEW-MODE OLD-ID NEW-ID STATUS` and the path.
  for (const [at, entry] of parts.entries()) {
    if (!entry.startsWith(":") || at % 2 === 1) continue;
    const path = showPath(parts[at + 1] ?? "");
    const [wasSubmodule, isSubmodule] = [1, 8].map((place) => entry.startsWith("160000", place));
    if (isSubmodule === true && wasSubmodule !== true) return `${path} is a submodule`;
    const problem = entry.endsWith(" A") ? findNameProblem(path) : undefined;
    if (problem !== undefined) return `${path} ${problem}`;
  }
  return undefined;
}
