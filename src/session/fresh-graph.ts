/** An index that is brought up to date for each question, as far as the question can wait. */
import type { OpenGraph } from "../graph/open-graph.ts";

/**
 * Milliseconds for an answer to wait for changed files; what is missing then is read before the next answer. Where words answer
 * nobody waits, and the rest is read to its end.
 */
const refreshLimitMs = 20_000;

/** A refresh that goes on behind the answers. */
interface Running {
  readonly stop: () => void;
  /** Never rejects. */
  readonly ended: Promise<unknown>;
}

/** One refresh at a time: those who ask meanwhile wait for it, or until the words of all files answer. */
export function keepFresh(open: () => OpenGraph, signal: AbortSignal): () => Promise<OpenGraph> {
  let opened: OpenGraph | undefined;
  let refreshing: Promise<unknown> | undefined;
  let behind: Running | undefined;

  /** It ends where files have changed since it began: the next reads those first, and goes on. */
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
    // Who waits is told; where nobody does any more, the next question meets the same error.
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
