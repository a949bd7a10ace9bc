import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "rust",
  extensions: [".rs"],
  grammar: () => "tree-sitter-rust/tree-sitter-rust.wasm",
  testFiles: [
    "**/tests/**/*.rs",
    "**/{test,tests}.rs",
    "**/*_{test,tests}.rs",
    "**/benches/**/*.rs",
    "**/examples/**/*.rs",
    "**/build.rs",
  ],
});
