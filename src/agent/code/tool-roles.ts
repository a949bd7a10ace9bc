/**
 * The tools from `src/agent/code/code-tools.ts` for each kind of work: as few as possible, because every request pays
 * for all of them.
 */
export const toolsOfRole = {
  "code-retrieval": ["view", "text-search", "find", "symbol", "references"],
  "test-retrieval": ["view", "text-search", "find", "related-tests"],
  editing: ["view", "text-search", "edit"],
  reproduction: ["view", "text-search", "related-tests", "edit"],
  review: ["view", "text-search"],
  probing: ["view", "text-search", "find"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** For instructions: one answer with two calls costs half of two answers. */
export const severalCalls =
  "You can make several calls in one answer if none needs the result of another: they run in order.";

export type ToolRole = keyof typeof toolsOfRole;
