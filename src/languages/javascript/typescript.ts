import { defineLanguage } from "../contract.ts";
import { scriptStems } from "./script-imports.ts";

export default defineLanguage({
  name: "typescript",
  extensions: [".ts", ".mts", ".cts", ".tsx"],
  grammar: (extension: string) =>
    extension === ".tsx"
      ? "tree-sitter-typescript/tree-sitter-tsx.wasm"
      : "tree-sitter-typescript/tree-sitter-typescript.wasm",
  testFiles: [
    "**/*.{test,spec}.{ts,mts,cts,tsx}",
    "**/{test,tests,spec,specs,__tests__}/**/*.{ts,mts,cts,tsx}",
    "**/{test,test-*,*-test,*_test}.{ts,mts,cts}",
  ],
  importedStems: scriptStems,
  lineComment: "//",
  idleStatement: "void 0;",
});
