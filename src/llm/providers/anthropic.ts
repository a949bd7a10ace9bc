import { findListed } from "../price.ts";
import prices from "../prices/anthropic.ts";
import { defineModelProvider } from "../provider.ts";
import { markPrefixes } from "../sdk/cache-breakpoints.ts";
import { overSdk } from "../sdk/over-sdk.ts";

export default defineModelProvider({
  name: "anthropic",
  description: "Claude, from Anthropic's API",
  form: "id",
  example: "anthropic/claude-sonnet-5-5",
  keys: ["ANTHROPIC_API_KEY"],
  needsKey: true,
  addresses: ["ANTHROPIC_BASE_URL"],
  address: "https://api.anthropic.com/v1",
  listed: (id) => findListed(prices, id),
  async open({ id, key = "", address, fetch }) {
    const { createAnthropic } = await import("@ai-sdk/anthropic");
    const baseURL = /\/v\d+$/.test(address) ? address : `${address}/v1`;
    const language = createAnthropic({ apiKey: key, baseURL, fetch }).languageModel(id);
    const mark = { anthropic: { cacheControl: { type: "ephemeral" } } };
    return overSdk({ language, prepare: (options) => markPrefixes(options, mark) });
  },
});
