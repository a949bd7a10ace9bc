/** Opens a repository's index for commands over the code graph, and updates it within a time limit. */
import { interruptedExitCode } from "../base/errors.ts";
import type { RefreshResult } from "../graph/build/refresh.ts";
import type { Completeness } from "../graph/contract.ts";
import { describeMissing } from "../graph/describe-missing.ts";
import type { OpenGraph } from "../graph/open-graph.ts";
import { indexFolder } from "../session/index-folders.ts";
import { findRepository } from "../session/repository.ts";
import { openUserGraph } from "../session/user-graph.ts";
import { defaultLimitMs, type GraphFlags } from "./graph-flags.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";

export interface GraphSession {
  readonly graph: OpenGraph;
  readonly repository: string;
  /** The index's completeness, for `--json`. */
  readonly index: Completeness;
  /** The index's folder. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/**
 * Opens and updates the index, runs `work`, and sets the process's exit code to the result of `work`. Does not update
 * the index if `refreshLimit` is 0. Does not run `work` if the user interrupts the update. Prints a notice on standard
 * error if the index does not cover all files, or if another process is updating it.
 */
export async function withGraph(
  flags: GraphFlags,
  work: (session: GraphSession) => number | Promise<number>,
): Promise<void> {
  const repository = findRepository(flags.repo);
  const host = hostOf();
  const directory = indexFolder(host, repository, flags.indexDir);
  const graph = openUserGraph(host, repository, directory);
  const interrupts = listenForInterrupts();
  try {
    const limitMs = flags.refreshLimit ?? defaultLimitMs;
    const done = limitMs === 0 ? undefined : await refreshWithin(graph, limitMs, interrupts.signal);
    if (interrupts.signal.aborted) {
      process.exitCode = interruptedExitCode;
      return;
    }
    const index = graph.completeness();
    if (done?.busy)
      process.stderr.write("another process is updating this index; the answer uses its earlier state\n");
    const missing = describeMissing(index);
    if (missing !== undefined) process.stderr.write(`${missing}; \`millwright index\` completes the index\n`);
    const { signal } = interrupts;
    process.exitCode = await work({ graph, repository, index, directory, signal });
  } finally {
    interrupts.stop();
    graph.close();
  }
}

/** Refreshes the index. Once the words of all files are known, stops if the rest would exceed the limit. */
async function refreshWithin(graph: OpenGraph, limitMs: number, signal: AbortSignal): Promise<RefreshResult> {
  const [started, enough] = [performance.now(), new AbortController()];
  return await graph.refresh({
    limitMs,
    signal: AbortSignal.any([signal, enough.signal]),
    onSearchable: ({ restMs }) => {
      if (performance.now() - started + restMs > limitMs) enough.abort();
    },
  });
}
