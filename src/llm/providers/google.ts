import { findListed } from "../price.ts";
import prices from "../prices/google.ts";
import { defineModelProvider } from "../provider.ts";
import { overSdk } from "../sdk/over-sdk.ts";

export default defineModelProvider({
  name: "google",
  description: "Gemini, from Google's API",
  form: "id",
  example: "google/gemini-3.8-flash",
  keys: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
  needsKey: true,
  addresses: ["GOOGLE_GEMINI_BASE_URL"],
  address: "https://generativelanguage.googleapis.com/v1beta",
  listed: (id) => findListed(prices, id),
  async open({ id, key = "", address, fetch }) {
    const { createGoogleGenerativeAI } = await import("@ai-sdk/google");
    const baseURL = /\/v\d+\w*$/.test(address) ? address : `${address}/v1beta`;
    const provider = createGoogleGenerativeAI({ apiKey: key, baseURL, fetch });
    return overSdk({ language: provider.languageModel(id), embedding: provider.embeddingModel(id) });
  },
});
