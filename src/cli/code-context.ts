/** The repository as the tools of `src/tools/` see it, for a process that lives as long as its client. */
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
import { indexFolder } from "./graph-flags.ts";
import { openGraphOf } from "./graph-session.ts";
import { keepSearchModels } from "./kept-search-models.ts";
import { createLazyServers } from "./lazy-servers.ts";
import type { Settings } from "./settings.ts";

export interface CodeContextOptions {
  readonly repository: string;
  /** A folder of ours, for the journal of what is written. */
  readonly directory: string;
  readonly settings: Settings;
  readonly indexDir: string | undefined;
  readonly canWrite: boolean;
  readonly signal: AbortSignal;
}

/**
 * Milliseconds for an answer to wait for changed files; what is missing then is read before the next answer. Where words answer
 * nobody waits, and the rest is read to its end.
 */
const refreshLimitMs = 20_000;

export function openCodeContext(options: CodeContextOptions): {
  readonly context: CodeContext;
  readonly close: () => Promise<void>;
} {
  const { repository, directory, settings, indexDir, canWrite, signal } = options;
  const servers = createLazyServers({ repository, settings, signal });
  const models = keepSearchModels(settings, indexFolder(repository, indexDir));
  let opened: OpenGraph | undefined;
  let refreshing: Promise<unknown> | undefined;
  let searching: (() => OpenSearcher) | undefined;

  /** One refresh at a time: those who ask meanwhile wait for it, or until the words of all files answer. */
  async function graph(): Promise<OpenGraph> {
    opened ??= openGraphOf(repository, indexDir);
    refreshing ??= answerable(opened);
    await refreshing;
    return opened;
  }

  function answerable(index: OpenGraph): Promise<unknown> {
    const byWords = Promise.withResolvers<void>();
    const late = new AbortController();
    const limit = setTimeout(() => late.abort(), refreshLimitMs);
    const whole = index.refresh({
      signal: AbortSignal.any([signal, late.signal]),
      onSearchable() {
        clearTimeout(limit);
        byWords.resolve();
      },
    });
    const done = whole.finally(() => {
      clearTimeout(limit);
      refreshing = undefined;
    });
    // Who waits is told; where nobody does any more, the next question meets the same error.
    done.catch(() => {});
    return Promise.race([done, byWords.promise]);
  }

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
      /** Anew for each question, which takes a copy of this record: the list of files is kept as long as they are. */
      get files() {
        return openTextFiles(repository, directory);
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
