/** Implements a transport with a model of the AI SDK. */
import type { EmbeddingModelV4, LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import { fail, succeed } from "../../base/result.ts";
import { estimateTokens } from "../price.ts";
import type {
  RawAnswer,
  RawUsage,
  RawVectors,
  Transport,
  TransportCall,
  TransportResult,
} from "../provider.ts";
import { classifyError } from "./classify-error.ts";
import { finishOf, type GatheredStream, gatherStream } from "./read-stream.ts";
import { findRefused, type RefusableSetting, tellRefused, withoutSettings } from "./refused-setting.ts";
import { toCallOptions } from "./to-prompt.ts";

export interface SdkModels {
  readonly language: LanguageModelV4;
  /** The model for embeddings; absent if the provider has none. */
  readonly embedding?: EmbeddingModelV4;
  /** Makes the final changes to the call: cache breakpoints, provider options. */
  readonly prepare?: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions;
}

/** Maximum average characters per token of an answer, because an endless stream must not fill the memory. */
const mostOfToken = 20;
/** Texts per call if the provider does not say. */
const usualBatch = 96;

export function overSdk({ language, embedding, prepare = (options) => options }: SdkModels): Transport {
  const refused = new Set<RefusableSetting>();
  const generate: Transport["generate"] = async (call) => {
    const options = withoutSettings(toCallOptions(call), refused);
    try {
      const { stream } = await language.doStream(prepare(options));
      const gathered = await gatherStream(stream, call.onProgress, call.maxOutputTokens * mostOfToken);
      return readGathered({ ...gathered, warnings: [...gathered.warnings, ...tellRefused(refused)] }, call);
    } catch (error) {
      const failure = classifyError(error, call.signal);
      const setting = findRefused(options, error, failure);
      if (setting === undefined) return failure;
      refused.add(setting);
      call.onProgress({ type: "again", because: tellRefused(new Set([setting])).join(), waitMs: 0 });
      return generate(call);
    }
  };
  if (embedding === undefined) return { remote: true, generate };
  const most = embedding.maxEmbeddingsPerCall;
  return {
    remote: true,
    generate,
    embed: (texts, signal) => embed(embedding, texts, signal),
    embedBatch: typeof most === "number" ? Math.min(most, usualBatch) : usualBatch,
  };
}

function readGathered(gathered: GatheredStream, call: TransportCall): TransportResult<RawAnswer> {
  const { error, finish, parts, warnings } = gathered;
  const usage = usageOf(gathered, call);
  if (error !== undefined || finish === undefined || !isEnded(finish)) {
    const failure =
      error === undefined ? fail("network", "the answer was cut off") : classifyError(error, call.signal);
    return parts.length === 0 ? failure : { ...failure, usage };
  }
  return succeed({
    parts: parts.filter((part) => part.type === "call" || part.text !== "" || part.opaque !== undefined),
    finish: finishOf(gathered),
    usage,
    warnings: [...warnings, ...shortContext(usage, call)],
  });
}

/**
 * True if the server ended the stream. A stream that was cut between two events still has a `finish`, which the server
 * did not send.
 */
function isEnded({ finishReason: { unified, raw } }: NonNullable<GatheredStream["finish"]>): boolean {
  return raw !== undefined || !["other", "error", "interrupted"].includes(unified);
}

/**
 * Returns the provider's count. Returns our estimate if the provider did not count, or if the answer was cut before the
 * count.
 */
function usageOf({ finish, parts }: GatheredStream, { request }: TransportCall): RawUsage {
  const { inputTokens, outputTokens, raw } = finish?.usage ?? {};
  const written = inputTokens?.cacheWrite ?? 0;
  const cost = raw?.["cost"];
  const said = {
    cached: inputTokens?.cacheRead ?? 0,
    written,
    ...(typeof cost === "number" ? { usd: cost } : {}),
  };
  if (inputTokens?.total !== undefined && outputTokens?.total !== undefined)
    return { ...said, input: inputTokens.total, output: outputTokens.total };
  const text = parts.map((part) => (part.type === "call" ? part.inputText : part.text)).join("");
  return {
    ...said,
    input: inputTokens?.total ?? estimateTokens(JSON.stringify(request)),
    output: outputTokens?.total ?? estimateTokens(text),
    estimated: true,
  };
}

/** Warns if the server truncated the input: servers of local models do this silently. */
function shortContext({ input, estimated }: RawUsage, { request }: TransportCall): string[] {
  const likely = estimateTokens(JSON.stringify(request.messages)) / 2;
  return estimated || likely < 1000 || input > likely / 2
    ? []
    : [
        `the server counted ${input} input tokens, but Millwright sent about ${Math.round(likely)}: the server's context may be too short`,
      ];
}

async function embed(
  model: EmbeddingModelV4,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<TransportResult<RawVectors>> {
  try {
    const { embeddings, usage } = await model.doEmbed({ values: [...texts], abortSignal: signal });
    if (embeddings.length !== texts.length)
      return fail(
        "bad-answer",
        `the provider returned ${embeddings.length} vectors for ${texts.length} texts`,
      );
    const input = usage?.tokens ?? estimateTokens(texts.join(""));
    return succeed({
      vectors: embeddings.map((vector) => Buffer.from(new Float32Array(vector).buffer).toString("hex")),
      usage: { input, cached: 0, written: 0, output: 0, ...(usage === undefined ? { estimated: true } : {}) },
    });
  } catch (error) {
    return classifyError(error, signal);
  }
}
