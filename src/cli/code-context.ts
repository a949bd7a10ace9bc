/** The repository as the tools of `src/tools/` see it, for a process that lives as long as its client. */
import { fail } from "../base/result.ts";
import type { OpenGraph } from "../graph/open-graph.ts";
import type { CodeContext } from "../tools/contract.ts";
import { readRepositoryText } from "../workspace/repository-texts.ts";
import { openGraphOf } from "./graph-session.ts";
import { createLazyServers } from "./lazy-servers.ts";
import type { Settings } from "./settings.ts";

export interface CodeContextOptions {
  readonly repository: string;
  readonly settings: Settings;
  readonly indexDir: string | undefined;
  readonly canWrite: boolean;
  readonly signal: AbortSignal;
}

/** Milliseconds for an answer to wait for changed files; what is missing then is read before the next answer. */
const refreshLimitMs = 20_000;

export function openCodeContext(options: CodeContextOptions): {
  readonly context: CodeContext;
  readonly close: () => Promise<void>;
} {
  const { repository, settings, indexDir, signal } = options;
  const servers = createLazyServers({ repository, settings, signal });
  let opened: OpenGraph | undefined;
  let refreshing: Promise<unknown> | undefined;

  /** One refresh at a time: those who ask meanwhile wait for it. */
  async function graph(): Promise<OpenGraph> {
    opened ??= openGraphOf(repository, indexDir);
    refreshing ??= opened.refresh({ limitMs: refreshLimitMs, signal }).finally(() => {
      refreshing = undefined;
    });
    await refreshing;
    return opened;
  }

  async function listFiles(): Promise<string[]> {
    return (await graph()).files().map(({ path }) => path);
  }

  return {
    context: {
      repository,
      graph,
      servers: async () => (signal.aborted ? fail("no-server", "stopped") : servers.of(await listFiles())),
      files: { read: async (path) => readRepositoryText(repository, path), list: listFiles },
      signal,
    },
    async close() {
      await servers.close();
      opened?.close();
    },
  };
}
