/**
 * Prepares a repository at a commit as a user has it: in a folder, indexed by the program itself. Keeps folder and
 * index, so that the repository's next commit needs only an update, and a second run almost no time.
 */
import { appendFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { CodeGraph } from "../src/graph/contract.ts";
import { openGraph } from "../src/graph/open-graph.ts";
import { type OpenSearcher, openSearcher } from "../src/graph/retrieval/open-searcher.ts";
import { runGit } from "../src/workspace/git.ts";

export interface TaskIndex {
  readonly graph: CodeGraph;
  readonly searcher: OpenSearcher;
  /** Milliseconds to open what is indexed. */
  readonly openMs: number;
  close(): void;
}

/** `folder` belongs to the repository alone. */
export async function openTaskIndex(
  gitDirectory: string,
  commit: string,
  folder: string,
): Promise<TaskIndex> {
  const repository = join(folder, "tree");
  const directory = join(folder, "index");
  for (const path of [repository, directory]) mkdirSync(path, { recursive: true });
  await layOut(gitDirectory, commit, repository);
  const graph = openGraph({ repository, directory, home: undefined });
  await graph.refresh();
  const begun = performance.now();
  const searcher = openSearcher({ graph, repository });
  return { graph, searcher, openMs: performance.now() - begun, close: graph.close };
}

/** One commit without history; its objects stay where they are. */
async function layOut(from: string, commit: string, workTree: string): Promise<void> {
  const gitDirectory = join(workTree, ".git");
  if (!existsSync(gitDirectory)) {
    await runGit({ gitDirectory, workTree, arguments: ["init", "--quiet"] });
    const { stdout } = await runGit({
      gitDirectory: from,
      arguments: ["rev-parse", "--git-path", "objects"],
    });
    appendFileSync(
      join(gitDirectory, "objects", "info", "alternates"),
      `${resolve(from, stdout.toString().trim())}\n`,
    );
    writeFileSync(join(gitDirectory, "info", "attributes"), "* -text -filter -ident\n");
  }
  await runGit({ gitDirectory, workTree, arguments: ["read-tree", "--reset", "-u", commit] });
}
