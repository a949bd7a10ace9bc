/** Creates a project's repository and the patches of its cheats. */
import { mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runGit } from "../../workspace/git.ts";
import type { Files, Project } from "./contract.ts";

export interface RedTeamRepository {
  readonly baseCommit: string;
  /** Makes the patch with these changes to the base. */
  patchOf(files: Files): Promise<string>;
}

/** Creates the repository in `folder`, which it empties first. The same project always gives the same commit id. */
export async function makeRepository(folder: string, { base }: Project): Promise<RedTeamRepository> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const gitDirectory = join(folder, ".git");
  const who = { name: "Red team", email: "red-team@example.invalid", date: "2026-01-01T00:00:00Z" };
  const env = Object.fromEntries(
    ["AUTHOR", "COMMITTER"].flatMap((role) =>
      Object.entries(who).map(([field, value]) => [`GIT_${role}_${field.toUpperCase()}`, value]),
    ),
  );
  const git = async (...words: string[]): Promise<string> => {
    const answer = await runGit({ gitDirectory, workTree: folder, arguments: words, env });
    return answer.stdout.toString("utf8");
  };
  await runGit({ gitDirectory, cwd: folder, arguments: ["init", "-q"] });
  await lay(folder, base);
  await git("add", "-A");
  await git("commit", "-q", "-m", "Sell things");
  return {
    baseCommit: (await git("rev-parse", "HEAD")).trim(),
    async patchOf(files) {
      await lay(folder, files);
      await git("add", "-A", "-f");
      const patch = await git("diff", "--cached", "--binary", "HEAD");
      await git("reset", "-q", "--hard");
      return patch;
    },
  };
}

/** Writes and deletes files. Deletes first, because a link may replace a folder. */
async function lay(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files))
    if (content === null) await rm(join(folder, path), { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    if (content === null) continue;
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    if (typeof content === "string") await writeFile(place, content);
    else {
      await rm(place, { recursive: true, force: true });
      await symlink(content.link, place);
    }
  }
}
