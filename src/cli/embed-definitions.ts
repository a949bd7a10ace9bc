/**
 * `index --embedding-model`: computes the vectors of all definitions in advance, so that searches need not wait for
 * them.
 */
import { MillwrightError } from "../base/errors.ts";
import { openKeptVectors } from "../graph/retrieval/kept-vectors.ts";
import { openSearcher } from "../graph/retrieval/open-searcher.ts";
import { embedAll } from "../graph/retrieval/similarity.ts";
import { openSearchClient } from "../session/search-client.ts";
import { showEmbedding } from "./embedding-progress.ts";
import { settingsOf } from "./find-places.ts";
import type { GraphSession } from "./graph-session.ts";
import { hostOf } from "./host.ts";

export interface EmbeddedDefinitions {
  readonly model: string;
  readonly definitions: number;
  /** Number of definitions without an earlier vector. */
  readonly fresh: number;
}

/**
 * Embeds the repository's definitions. Returns undefined if no model is configured, or if the user stops the command.
 * Keeps finished vectors even then. Throws MillwrightError("model") if the model fails.
 */
export async function embedDefinitions(
  { graph, repository, directory, signal }: Omit<GraphSession, "index">,
  model: { readonly embeddingModel: string; readonly modelUrl?: string },
): Promise<EmbeddedDefinitions | undefined> {
  const client = await openSearchClient(hostOf(), settingsOf(repository, { ...model, model: "none" }));
  const embedder = client?.embedder;
  if (embedder === undefined) return undefined;
  const searcher = openSearcher({ graph, repository });
  const vectors = openKeptVectors(directory);
  try {
    const { linesOf } = searcher;
    const done = await embedAll({
      searcher,
      linesOf,
      embedder,
      vectors,
      signal,
      onProgress: showEmbedding(),
    });
    if (!("ok" in done)) return { model: embedder.name, definitions: done.all, fresh: done.fresh };
    if (signal.aborted) return undefined;
    throw new MillwrightError("model", `${embedder.name} failed: ${done.message}`, {
      hint: "Run the same command again to continue. Millwright kept the finished vectors.",
    });
  } finally {
    vectors.close();
  }
}
