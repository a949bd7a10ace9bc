/** Reads the git folders that a benchmark gets. Writes nothing. */
import { readTestRegions, type TestRegions } from "../src/judging/test-regions.ts";
import { runGit } from "../src/workspace/git.ts";

export async function git(folder: string, ...words: string[]): Promise<string> {
  const { stdout } = await runGit({ gitDirectory: folder, arguments: words });
  return stdout.toString("utf8");
}

/** Undefined where the commit has no such file. */
export async function textAt(folder: string, commit: string, path: string): Promise<string | undefined> {
  try {
    return await git(folder, "show", `${commit}:${path}`);
  } catch {
    return undefined;
  }
}

/** Test files by their names alone. */
export function regionsByName(files: readonly string[]): Promise<TestRegions> {
  return readTestRegions({ files, read: async () => undefined, outcomes: [], framework: undefined });
}
