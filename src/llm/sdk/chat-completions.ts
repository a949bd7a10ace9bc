import type { OpenOptions, Transport } from "../provider.ts";
import { overSdk } from "./over-sdk.ts";
import { streamWholeAnswers } from "./whole-answers.ts";

export interface ChatCompletions extends OpenOptions {
  readonly name: string;
  /** The last change to the body of a request. */
  readonly transformBody?: (body: Record<string, unknown>) => Record<string, unknown>;
}

/** A server that speaks OpenAI's chat completions. */
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
    // Schemas may have optional fields, which strict ones may not.
    prepare: (call) => ({ ...call, providerOptions: { openaiCompatible: { strictJsonSchema: false } } }),
  });
}
