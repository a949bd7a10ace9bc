import { succeed } from "../base/result.ts";
import type { Embedder, ModelResult } from "./contract.ts";
import { estimateTokens } from "./price.ts";
import type { RawVectors } from "./provider.ts";
import { toFailure } from "./read-answer.ts";
import type { ClientOptions } from "./routes.ts";
import { askWatched } from "./watch.ts";

const usualBatch = 96;

/** Creates the embedder. Undefined if no model for embeddings is configured. */
export function createEmbedder(options: ClientOptions): Embedder | undefined {
  const route = options.routes.embedding;
  if (route === undefined) return undefined;
  const size = route.transport.embedBatch ?? usualBatch;
  return {
    name: route.name,
    identity: route.transport.identity ?? route.name,
    async embed(texts, { signal = new AbortController().signal, onVectors } = {}) {
      const vectors: Float32Array[] = [];
      for (let start = 0; start < texts.length; start += size) {
        const batch = await embedBatch(options, texts.slice(start, start + size), signal);
        if (!batch.ok) return batch;
        vectors.push(...batch.value);
        onVectors?.(batch.value, start);
      }
      return succeed(vectors);
    },
  };
}

async function embedBatch(
  options: ClientOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<ModelResult<Float32Array[]>> {
  const { embedding: route } = options.routes;
  const embed = route?.transport.embed;
  if (route === undefined || embed === undefined) return noEmbeddings;
  const call = {
    request: { embed: texts },
    inputTokens: estimateTokens(texts.join("")),
    outputTokens: 0,
    final: false,
    signal,
    onProgress: () => {},
    attempt: (_: number, limited: AbortSignal) => embed(texts, limited),
  };
  const { result } = await askWatched<RawVectors>(options, { role: "embedding", route, call });
  return result.ok ? succeed(result.value.vectors.map(toVector)) : toFailure(result);
}

const noEmbeddings = { ok: false, kind: "bad-request", message: "the provider has no embeddings" } as const;

function toVector(hexadecimal: string): Float32Array {
  const bytes = Buffer.from(hexadecimal, "hex");
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}
