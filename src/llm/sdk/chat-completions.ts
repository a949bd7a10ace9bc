import type { OpenOptions, Transport } from "../provider.ts";
import { overSdk } from "./over-sdk.ts";
import { streamWholeAnswers } from "./whole-answers.ts";

export interface ChatCompletions extends OpenOptions {
  readonly name: string;
  /** Changes the request body before it is sent. */
  readonly transformBody?: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** Opens a model on a server with OpenAI's chat completions API. */
export async function openChatCompletions(options: ChatCompletions): Promise<Transport> {
  const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
  const { name, id, key, address, fetch, transformBody } = options;
  const provider = createOpenAICompatible({
    name,
    baseURL: address,
    fetch: streamWholeAnswers(fetch),
    ...(key === undefined ? {} : { apiKey: key }),
    includeUsage: true,
    supportsStructuredOutputs: true,
    ...(transformBody === undefined ? {} : { transformRequestBody: transformBody }),
  });
  return overSdk({
    language: provider.chatModel(id),
    embedding: provider.embeddingModel(id),
    // Not strict, because schemas may have optional fields.
    prepare: (call) => ({ ...call, providerOptions: { openaiCompatible: { strictJsonSchema: false } } }),
  });
}
