/** The code graph for a command that may do without it: opened, and brought up to date within a limit, when it is asked first. */
import type { OpenGraph } from "../graph/open-graph.ts";

export interface LazyGraph {
  readonly open: () => Promise<OpenGraph>;
  readonly close: () => void;
}

/** Milliseconds for changed files to be read before it answers. */
const refreshLimitMs = 20_000;

/** `open` opens it as it is. */
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
