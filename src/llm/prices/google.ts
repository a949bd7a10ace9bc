/** Google's prices, US dollars per million tokens. */
import type { PriceTable } from "../price.ts";

const table: PriceTable = {
  asOf: "2026-11-21",
  source: "https://ai.google.dev/gemini-api/docs/pricing, through the table of litellm 1.109.1",
  models: {
    "gemini-4-argon": { input: 2, cached: 0.1, written: 2, output: 10, context: 1_048_576 },
    "gemini-3.8-flash": { input: 0.75, cached: 0.075, written: 0.75, output: 3.75, context: 1_048_576 },
    "gemini-3.7-flash": { input: 0.75, cached: 0.075, written: 0.75, output: 3.75, context: 1_048_576 },
    "gemini-3.6-flash": { input: 0.75, cached: 0.075, written: 0.75, output: 3.75, context: 1_048_576 },
    "gemini-3.5-flash": { input: 1.5, cached: 0.15, written: 1.5, output: 9, context: 1_048_576 },
    "gemini-3.5-flash-lite": { input: 0.3, cached: 0.03, written: 0.3, output: 2.5, context: 1_048_576 },
    "gemini-3.1-pro-preview": {
      input: 2,
      cached: 0.2,
      written: 2,
      output: 12,
      context: 1_048_576,
      long: { above: 200_000, input: 2, output: 1.5 },
    },
    "gemini-3.1-flash-lite": { input: 0.25, cached: 0.025, written: 0.25, output: 1.5, context: 1_048_576 },
    "gemini-3-flash-preview": { input: 0.5, cached: 0.05, written: 0.5, output: 3, context: 1_048_576 },
    "gemini-2.5-pro": {
      input: 1.25,
      cached: 0.125,
      written: 1.25,
      output: 10,
      context: 1_048_576,
      long: { above: 200_000, input: 2, output: 1.5 },
    },
    "gemini-2.5-flash": { input: 0.3, cached: 0.03, written: 0.3, output: 2.5, context: 1_048_576 },
    "gemini-2.5-flash-lite": { input: 0.1, cached: 0.01, written: 0.1, output: 0.4, context: 1_048_576 },
    "gemini-embedding-001": { input: 0.15, cached: 0.15, written: 0.15, output: 0, context: 2_048 },
    "gemini-embedding-2": { input: 0.2, cached: 0.2, written: 0.2, output: 0, context: 8_192 },
  },
};
export default table;
