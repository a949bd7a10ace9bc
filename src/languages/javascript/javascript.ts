import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "javascript",
  extensions: [".js", ".mjs", ".cjs", ".jsx"],
  grammar: () => "tree-sitter-javascript/tree-sitter-javascript.wasm",
  testFiles: [
    "**/*.{test,spec}.{js,mjs,cjs,jsx}",
    "**/{test,tests,spec,specs,__tests__}/**/*.{js,mjs,cjs,jsx}",
    "**/{test,test-*,*-test,*_test}.{js,mjs,cjs}",
  ],
});
