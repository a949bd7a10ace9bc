import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "go",
  extensions: [".go"],
  grammar: () => "tree-sitter-go/tree-sitter-go.wasm",
  testFiles: ["**/*_test.go", "**/testdata/**"],
  constants: { null: "nil" },
  toolchain: [{ name: "go", argv: ["go", "version"], remedy: "Install Go to repair Go repositories." }],
  probes: [{ markers: ["go.mod", ".go"], programs: ["go version"] }],
});
