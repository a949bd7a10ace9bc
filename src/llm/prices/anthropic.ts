/** Anthropic's prices, US dollars per million tokens. */
import type { PriceTable } from "../price.ts";

const table: PriceTable = {
  asOf: "2026-11-21",
  source: "https://platform.claude.com/docs/en/about-claude/pricing, through the table of litellm 1.109.1",
  models: {
    "claude-opus-5-5": { input: 4, cached: 0.2, written: 5, output: 20, context: 1_000_000 },
    "claude-opus-5": { input: 5, cached: 0.5, written: 6.25, output: 25, context: 1_000_000 },
    "claude-opus-4-8": { input: 5, cached: 0.5, written: 6.25, output: 25, context: 1_000_000 },
    "claude-opus-4-7": { input: 5, cached: 0.5, written: 6.25, output: 25, context: 1_000_000 },
    "claude-opus-4-6": { input: 5, cached: 0.5, written: 6.25, output: 25, context: 1_000_000 },
    "claude-opus-4-5": { input: 5, cached: 0.5, written: 6.25, output: 25, context: 200_000 },
    "claude-sonnet-5-5": { input: 2, cached: 0.1, written: 2.5, output: 10, context: 1_000_000 },
    "claude-sonnet-5": { input: 2, cached: 0.2, written: 2.5, output: 10, context: 1_000_000 },
    "claude-sonnet-4-6": { input: 3, cached: 0.3, written: 3.75, output: 15, context: 1_000_000 },
    "claude-sonnet-4-5": { input: 3, cached: 0.3, written: 3.75, output: 15, context: 200_000 },
    "claude-haiku-5-5": {
      input: 0.1,
      cached: 0.01,
      written: 0.125,
      output: 0.5,
      context: 1_000_000,
      long: { above: 100_000, input: 5, output: 5 },
    },
    "claude-haiku-4-5": { input: 1, cached: 0.1, written: 1.25, output: 5, context: 200_000 },
    "claude-fable-5-1": { input: 10, cached: 0.25, written: 12.5, output: 50, context: 1_000_000 },
    "claude-fable-5": { input: 10, cached: 1, written: 12.5, output: 50, context: 1_000_000 },
    "claude-mythos-5-1": { input: 10, cached: 0.25, written: 12.5, output: 50, context: 1_000_000 },
    "claude-mythos-5": { input: 10, cached: 1, written: 12.5, output: 50, context: 1_000_000 },
  },
};
export default table;
