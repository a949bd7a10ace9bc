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

/** A client without a model, for actions that need no model. Each call fails with the reason. */
export const absentModels: ModelClient = {
  modelOf: () => ({ name: "none", contextTokens: undefined, priced: true }),
  generate: async () => ({ ok: false, kind: "auth", message: "this action needs a model: give --model" }),
  embedder: undefined,
  within: () => absentModels,
  watchedBy: () => absentModels,
  spent: () => nothingSpent,
  left: () => ({}),
};
