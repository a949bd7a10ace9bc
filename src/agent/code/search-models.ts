/** Opens the models that help `find` in a run: configured embeddings, and a retrieval role with its own model. */
import { mkdirSync } from "node:fs";
import { type KeptVectors, openKeptVectors } from "../../graph/retrieval/kept-vectors.ts";
import { defaultRankerTokens } from "../../graph/retrieval/with-models.ts";
import type { ModelClient } from "../../llm/contract.ts";
import type { CodeContext } from "../../tools/contract.ts";

export interface RunSearchModels {
  readonly open: NonNullable<CodeContext["searchModels"]>;
  close(): void;
}

/**
 * Opens the models for searches. `index`: the folder of stored vectors. The retrieval model ranks results only if it
 * differs from the planning model, which reads all results anyway.
 */
export function openSearchModels(models: ModelClient | undefined, index: string): RunSearchModels {
  const ranks = models !== undefined && models.modelOf("retrieval").name !== models.modelOf("planning").name;
  const embedder = models?.embedder;
  let vectors: KeptVectors | undefined;
  return {
    async open() {
      if (!ranks && embedder === undefined) return undefined;
      if (embedder !== undefined && vectors === undefined) {
        mkdirSync(index, { recursive: true });
        vectors = openKeptVectors(index);
      }
      return { client: ranks ? models : undefined, embedder, vectors, rankerTokens: defaultRankerTokens };
    },
    close: () => vectors?.close(),
  };
}
