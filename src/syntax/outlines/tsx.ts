import { defineOutline } from "../outline.ts";
import { ecmascript, jsxQuery, typescriptQuery } from "./ecmascript.ts";

export default defineOutline({
  language: "typescript",
  extensions: [".tsx"],
  grammar: "tree-sitter-typescript/tree-sitter-tsx.wasm",
  query: `${jsxQuery}${typescriptQuery}`,
  ...ecmascript,
});
