/** Gives the tools of `src/tools/` access to a repository, in a process that runs as long as its client. */
import { lockRun } from "../agent/run/run-store.ts";
import type { Result } from "../base/result.ts";
import type { FileChange } from "../edit/contract.ts";
import type { OpenGraph } from "../graph/open-graph.ts";
import { keepSearcher, type OpenSearcher } from "../graph/retrieval/open-searcher.ts";
import { absentServers, withFallback } from "../lsp/with-fallback.ts";
import type { CodeContext } from "../tools/contract.ts";
import { graphAnswers } from "../tools/graph-answers.ts";
import { openTextFiles } from "../workspace/text-files.ts";
import { writeTexts } from "../workspace/write-texts.ts";
import { keepFresh } from "./fresh-graph.ts";
import type { Host } from "./host.ts";
import { indexFolder } from "./index-folders.ts";
import { keepSearchModels } from "./kept-search-models.ts";
import { createLazyServers } from "./lazy-servers.ts";
import type { Settings } from "./settings.ts";
import { openUserGraph } from "./user-graph.ts";

export interface CodeContextOptions {
  readonly host: Host;
  readonly repository: string;
  /** Millwright's folder for the journal of writes. */
  readonly directory: string;
  readonly settings: Settings;
  readonly indexDir: string | undefined;
  readonly canWrite: boolean;
  readonly signal: AbortSignal;
}

export function openCodeContext(options: CodeContextOptions): {
  readonly context: CodeContext;
  readonly close: () => Promise<void>;
} {
  const { host, repository, directory, settings, indexDir, canWrite, signal } = options;
  const index = indexFolder(host, repository, indexDir);
  const servers = createLazyServers({ host, repository, settings, signal });
  const models = keepSearchModels(host, settings, index);
  let opened: OpenGraph | undefined;
  let searching: (() => OpenSearcher) | undefined;
  const graph = keepFresh(() => {
    opened = openUserGraph(host, repository, index);
    return opened;
  }, signal);

  async function searcher(): Promise<OpenSearcher> {
    const fresh = await graph();
    searching ??= keepSearcher({ graph: fresh, repository });
    return searching();
  }

  async function listFiles(): Promise<string[]> {
    return (await graph()).files().map(({ path }) => path);
  }

  async function write(changes: readonly FileChange[]): Promise<Result<readonly string[]>> {
    const release = lockRun(directory);
    try {
      return await writeTexts({ repository, directory, changes });
    } finally {
      release();
    }
  }

  return {
    context: {
      repository,
      graph,
      async servers() {
        const own = signal.aborted ? absentServers("Stopped.") : await servers.of(await listFiles());
        return withFallback(own, graphAnswers(graph));
      },
      searcher,
      searchModels: models.open,
      /**
       * The editable files. This getter opens them anew for each question, because an opened list of files is cached.
       */
      get files() {
        return openTextFiles(repository, directory, host.environment.HOME);
      },
      ...(canWrite && { write }),
      signal,
    },
    async close() {
      await servers.close();
      models.close();
      opened?.close();
    },
  };
}
