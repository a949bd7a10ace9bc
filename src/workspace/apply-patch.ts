import { join } from "node:path";
import { fail, type Result, succeed } from "../base/result.ts";
import { runGit } from "./git.ts";

/** The tree that a unified diff makes of `tree`; `folder` is an empty folder for the index. */
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
  return succeed(stdout.toString("latin1").trim());
}
