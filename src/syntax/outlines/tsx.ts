import { defineOutline } from "../outline.ts";
import { ecmascript, ecmascriptNames, jsxQuery, typescriptQuery, typescriptWords } from "./ecmascript.ts";

export default defineOutline({
  language: "typescript",
  extensions: [".tsx"],
  grammar: "tree-sitter-typescript/tree-sitter-tsx.wasm",
  words: typescriptWords,
  names: ecmascriptNames,
  query: `${jsxQuery}${typescriptQuery}`,
  ...ecmascript,
});
