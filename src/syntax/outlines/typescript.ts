import { defineOutline } from "../outline.ts";
import { ecmascript, ecmascriptNames, typescriptQuery, typescriptWords } from "./ecmascript.ts";

export default defineOutline({
  language: "typescript",
  extensions: [".ts", ".mts", ".cts"],
  grammar: "tree-sitter-typescript/tree-sitter-typescript.wasm",
  words: typescriptWords,
  names: ecmascriptNames,
  query: typescriptQuery,
  ...ecmascript,
});
