/**
 * Lists each role's tools from `src/agent/code/code-tools.ts`. Each list is short, because every request pays for all
 * its tools.
 */
export const toolsOfRole = {
  "code-retrieval": ["view", "text-search", "find", "symbol", "references"],
  "test-retrieval": ["view", "text-search", "find", "related-tests"],
  editing: ["view", "text-search", "edit"],
  reproduction: ["view", "text-search", "related-tests", "edit"],
  review: ["view", "text-search"],
  probing: ["view", "text-search", "find"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type ToolRole = keyof typeof toolsOfRole;
