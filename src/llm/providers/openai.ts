import { findListed } from "../price.ts";
import prices from "../prices/openai.ts";
import { defineModelProvider } from "../provider.ts";
import { overSdk } from "../sdk/over-sdk.ts";

/**
 * Options: OpenAI stores no answers, so Millwright sends the encrypted reasoning back with each request. Schemas may
 * have optional fields.
 */
const own = { openai: { store: false, strictJsonSchema: false } };

export default defineModelProvider({
  name: "openai",
  description: "GPT, from OpenAI's API (responses)",
  form: "id",
  example: "openai/gpt-6.1-sol",
  keys: ["OPENAI_API_KEY"],
  needsKey: true,
  addresses: ["OPENAI_BASE_URL"],
  address: "https://api.openai.com/v1",
  listed: (id) => findListed(prices, id),
  async open({ id, key = "", address, fetch }) {
    const { createOpenAI } = await import("@ai-sdk/openai");
    const provider = createOpenAI({ apiKey: key, baseURL: address, fetch });
    return overSdk({
      language: provider.responses(id),
      embedding: provider.embeddingModel(id),
      prepare: (options) => ({ ...options, providerOptions: own }),
    });
  },
});
