import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "go",
  extensions: [".go"],
  grammar: () => "tree-sitter-go/tree-sitter-go.wasm",
  testFiles: ["**/*_test.go", "**/testdata/**"],
  constants: { null: "nil" },
});
