/** A tree of the run as the tools of `src/tools/` see it: its files, its code graph, and edits that make another tree. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Result, succeed } from "../base/result.ts";
import type { FileChange } from "../edit/contract.ts";
import { type OpenGraph, openGraph } from "../graph/open-graph.ts";
import { keepSearcher, type OpenSearcher } from "../graph/retrieval/open-searcher.ts";
import { absentServers, withFallback } from "../lsp/with-fallback.ts";
import type { CodeContext } from "../tools/contract.ts";
import { graphAnswers } from "../tools/graph-answers.ts";
import type { Workspace } from "../workspace/contract.ts";
import { openTextFiles } from "../workspace/text-files.ts";

export interface TreeView {
  readonly context: CodeContext;
  /** That is laid now: the base, until another is. */
  tree(): string;
  lay(tree: string): Promise<void>;
  close(): void;
}

export async function openTreeView(workspace: Workspace, signal: AbortSignal): Promise<TreeView> {
  const checkout = await workspace.openCheckout();
  const directory = join(workspace.directory, "view");
  await mkdir(directory, { recursive: true });
  const repository = checkout.folder;
  let tree = workspace.base;
  let opened: OpenGraph | undefined;
  let searching: (() => OpenSearcher) | undefined;
  let files = openTextFiles(repository, directory);

  async function graph(): Promise<OpenGraph> {
    opened ??= openGraph({ repository, directory: join(directory, "index"), home: undefined });
    await opened.refresh({ signal });
    return opened;
  }

  async function lay(next: string): Promise<void> {
    if (next === tree) return;
    await checkout.lay(next);
    tree = next;
    files = openTextFiles(repository, directory);
  }

  async function write(changes: readonly FileChange[]): Promise<Result<readonly string[]>> {
    const gone = changes.flatMap(({ from, path }) => (from === undefined || from === path ? [] : [from]));
    await lay(
      await workspace.trees.write(tree, [
        ...gone.map((path) => ({ path, content: null })),
        ...changes.map(({ path, after }) => ({ path, content: after ?? null })),
      ]),
    );
    return succeed(changes.map(({ path }) => path));
  }

  const context: CodeContext = {
    repository,
    graph,
    async searcher() {
      const fresh = await graph();
      searching ??= keepSearcher({ graph: fresh, repository });
      return searching();
    },
    async servers() {
      return withFallback(absentServers("No language server is asked in a run."), graphAnswers(graph));
    },
    get files() {
      return files;
    },
    write,
    signal,
  };
  return { context, tree: () => tree, lay, close: () => opened?.close() };
}
