/** Keeps the models for `find` open, in a process that runs as long as its client. Opens them at the first question. */
import { MillwrightError } from "../base/errors.ts";
import { type KeptVectors, openKeptVectors } from "../graph/retrieval/kept-vectors.ts";
import { defaultRankerTokens, usualEmbedLimitMs } from "../graph/retrieval/with-models.ts";
import type { CodeContext } from "../tools/contract.ts";
import type { Host } from "./host.ts";
import { type OpenClient, openSearchClient } from "./search-client.ts";
import type { Settings } from "./settings.ts";

export interface KeptSearchModels {
  readonly open: NonNullable<CodeContext["searchModels"]>;
  close(): void;
}

/**
 * Opens the models for searches at the first search, and keeps them open. `index`: the folder of the index, which also
 * holds the embedding vectors.
 */
export function keepSearchModels(host: Host, settings: Settings, index: string): KeptSearchModels {
  let opening: Promise<OpenClient | undefined> | undefined;
  let vectors: KeptVectors | undefined;
  return {
    async open() {
      opening ??= openOrSay(host, settings);
      const opened = await opening;
      if (opened === undefined) return undefined;
      const { client, answers, embedder } = opened;
      if (embedder !== undefined) vectors ??= openKeptVectors(index);
      return {
        client: answers ? client : undefined,
        embedder,
        vectors,
        rankerTokens: defaultRankerTokens,
        embedLimitMs: usualEmbedLimitMs,
      };
    },
    close: () => vectors?.close(),
  };
}

/** Opens the models. Tells about a missing model, because it does not prevent answers. */
async function openOrSay(host: Host, settings: Settings): Promise<OpenClient | undefined> {
  try {
    return await openSearchClient(host, settings);
  } catch (error) {
    if (!(error instanceof MillwrightError)) throw error;
    host.onNotice({ level: "note", text: `find works without a model: ${error.message}` });
    return undefined;
  }
}
