import { defineOutline } from "../outline.ts";
import { ecmascript, javascriptQuery } from "./ecmascript.ts";

export default defineOutline({
  language: "javascript",
  extensions: [".js", ".mjs", ".cjs", ".jsx"],
  grammar: "tree-sitter-javascript/tree-sitter-javascript.wasm",
  query: javascriptQuery,
  ...ecmascript,
});
