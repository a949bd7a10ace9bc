/**
 * Opens and updates the code graph at the first question, within a time limit. Serves commands that may not need the
 * graph.
 */
import type { OpenGraph } from "../graph/open-graph.ts";

export interface LazyGraph {
  readonly open: () => Promise<OpenGraph>;
  readonly close: () => void;
}

/** Milliseconds for which the graph reads changed files before it answers. */
const refreshLimitMs = 20_000;

/** Creates a graph that opens and updates itself at its first use. `open`: opens the graph without an update. */
export function createLazyGraph(open: () => OpenGraph, signal: AbortSignal): LazyGraph {
  let opened: OpenGraph | undefined;
  return {
    async open() {
      if (opened !== undefined) return opened;
      opened = open();
      await opened.refresh({ limitMs: refreshLimitMs, signal });
      return opened;
    },
    close: () => opened?.close(),
  };
}
