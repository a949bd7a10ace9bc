/** Opens the models that a search can use: one for its questions, and one for embeddings. */
import type { ModelClient } from "../llm/contract.ts";
import type { Host } from "./host.ts";
import { openModelSession } from "./model-session.ts";
import { modelLimitsOf } from "./setting-limits.ts";
import type { Settings } from "./settings.ts";

export interface OpenClient {
  readonly client: ModelClient;
  /** False if only embeddings are configured. */
  readonly answers: boolean;
  readonly embedder: ModelClient["embedder"];
}

/** Opens the models for searches; undefined if no model is configured. */
export async function openSearchClient(host: Host, settings: Settings): Promise<OpenClient | undefined> {
  const named = settings.modelRoles?.retrieval ?? settings.model;
  if (named === "none" && settings.embeddingModel === undefined) return undefined;
  const { client } = await openModelSession(settings, {
    ...host,
    limits: modelLimitsOf(settings),
  });
  return { client, answers: named !== "none", embedder: client.embedder };
}
