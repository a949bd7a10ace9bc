import type { ModelClient } from "../../llm/contract.ts";

const nothingSpent = {
  calls: 0,
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  usd: 0,
  unpriced: 0,
  byRole: {},
};

/** Nobody answers: for actions that need no model, where none is configured. One that asks anyway hears why. */
export const absentModels: ModelClient = {
  modelOf: () => ({ name: "none", contextTokens: undefined, priced: true }),
  generate: async () => ({ ok: false, kind: "auth", message: "this action needs a model: give --model" }),
  embedder: undefined,
  within: () => absentModels,
  watchedBy: () => absentModels,
  spent: () => nothingSpent,
  left: () => ({}),
};
