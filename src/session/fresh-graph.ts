/** Updates an index before each question. If the update takes too long, the question uses the index as it is then. */
import type { OpenGraph } from "../graph/open-graph.ts";

/**
 * Milliseconds for which an answer waits while the graph reads changed files. The graph reads the remaining files
 * before the next answer. An answer that needs only words does not wait, and the graph then reads all files without a
 * limit.
 */
const refreshLimitMs = 20_000;

/** A refresh that continues after the answers. */
interface Running {
  readonly stop: () => void;
  /** Resolves once the refresh has ended. Never rejects. */
  readonly ended: Promise<unknown>;
}

/**
 * Returns a function that refreshes the graph and returns it. Only one refresh runs at a time; later callers wait for
 * it. Callers stop waiting once a search by words can answer for all files.
 */
export function keepFresh(open: () => OpenGraph, signal: AbortSignal): () => Promise<OpenGraph> {
  let opened: OpenGraph | undefined;
  let refreshing: Promise<unknown> | undefined;
  let behind: Running | undefined;

  /**
   * Stops the running refresh if files have changed since its start. The next refresh reads these files first, and then
   * continues.
   */
  async function stopWhereLate(index: OpenGraph): Promise<void> {
    const running = behind;
    if (running === undefined || !(await index.isBehind())) return;
    running.stop();
    await running.ended;
  }

  function answerable(index: OpenGraph): Promise<unknown> {
    const searchable = Promise.withResolvers<void>();
    const late = new AbortController();
    const stop = (): void => late.abort();
    const limit = setTimeout(stop, refreshLimitMs);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const whole = index.refresh({
      signal: AbortSignal.any([signal, late.signal]),
      onSearchable() {
        clearTimeout(limit);
        behind = { stop, ended };
        searchable.resolve();
      },
    });
    const done = whole.finally(() => {
      clearTimeout(limit);
      refreshing = undefined;
      behind = undefined;
      end();
    });
    // Waiting callers get the error; if there are none, the next question meets the same error.
    done.catch(() => {});
    return Promise.race([done, searchable.promise]);
  }

  return async () => {
    opened ??= open();
    await stopWhereLate(opened);
    refreshing ??= answerable(opened);
    await refreshing;
    return opened;
  };
}
