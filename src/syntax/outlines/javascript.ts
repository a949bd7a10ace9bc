import { defineOutline } from "../outline.ts";
import { ecmascript, ecmascriptNames, javascriptQuery, javascriptWords } from "./ecmascript.ts";

export default defineOutline({
  language: "javascript",
  extensions: [".js", ".mjs", ".cjs", ".jsx"],
  grammar: "tree-sitter-javascript/tree-sitter-javascript.wasm",
  words: javascriptWords,
  names: ecmascriptNames,
  query: javascriptQuery,
  ...ecmascript,
});
