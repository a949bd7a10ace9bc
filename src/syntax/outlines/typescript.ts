import { defineOutline } from "../outline.ts";
import { ecmascript, typescriptQuery } from "./ecmascript.ts";

export default defineOutline({
  language: "typescript",
  extensions: [".ts", ".mts", ".cts"],
  grammar: "tree-sitter-typescript/tree-sitter-typescript.wasm",
  query: typescriptQuery,
  ...ecmascript,
});
