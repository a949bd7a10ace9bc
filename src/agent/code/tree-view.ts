/**
 * Gives the tools of `src/tools/` access to a tree of the run. They can use its files, code graph and language servers,
 * and create another tree by edits.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Result, succeed } from "../../base/result.ts";
import type { FileChange } from "../../edit/contract.ts";
import { type OpenGraph, openGraph } from "../../graph/open-graph.ts";
import { keepSearcher, type OpenSearcher } from "../../graph/retrieval/open-searcher.ts";
import { takeOverIndex } from "../../graph/take-over-index.ts";
import { withFallback } from "../../lsp/with-fallback.ts";
import type { CodeContext } from "../../tools/contract.ts";
import { graphAnswers } from "../../tools/graph-answers.ts";
import { openTextFiles } from "../../workspace/text-files.ts";
import type { StrategyContext } from "../strategy.ts";
import type { TreeView } from "../views.ts";
import { openRunServers } from "./run-servers.ts";
import { openSearchModels } from "./search-models.ts";

export type ViewContext = Pick<StrategyContext, "workspace" | "signal" | "recorder" | "models" | "code">;

export async function openTreeView(run: ViewContext): Promise<TreeView> {
  const { workspace, signal } = run;
  const checkout = await workspace.openCheckout({ isReadHere: true });
  const directory = join(workspace.directory, "view");
  await mkdir(directory, { recursive: true });
  const repository = checkout.folder;
  const index = join(directory, "index");
  let tree = workspace.base;
  let opened: OpenGraph | undefined;
  let searching: (() => OpenSearcher) | undefined;
  let files = openTextFiles(repository, directory);
  const servers = openRunServers(run, checkout, () => tree);
  const models = openSearchModels(run.models, index);

  async function graph(): Promise<OpenGraph> {
    if (opened === undefined) {
      const known = run.code?.knownIndex;
      const own = { directory: index, repository };
      if (known !== undefined) takeOverIndex({ directory: known, repository: workspace.repository }, own);
      opened = openGraph({ repository, directory: index, home: undefined });
    }
    await opened.refresh({ signal });
    return opened;
  }

  async function lay(next: string): Promise<void> {
    if (next === tree) return;
    const before = tree;
    await checkout.lay(next);
    tree = next;
    files = openTextFiles(repository, directory);
    await servers.laid(before, next);
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
    servers: async () => withFallback(servers.asked, graphAnswers(graph)),
    get files() {
      return files;
    },
    write,
    searchModels: models.open,
    remarks: new Set(),
    signal,
  };
  return {
    context,
    ...{ home: workspace.repository, root: workspace.shownRoot },
    tree: () => tree,
    lay,
    async close() {
      opened?.close();
      models.close();
      await servers.close();
      await checkout.close();
    },
  };
}
