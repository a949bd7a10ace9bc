import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "python",
  extensions: [".py", ".pyi"],
  grammar: () => "tree-sitter-python/tree-sitter-python.wasm",
  testFiles: [
    "**/test_*.py",
    "**/*_test.py",
    "**/tests.py",
    "**/conftest.py",
    "**/test/**/*.py",
    "**/tests/**/*.py",
  ],
  constants: { null: "None", true: "True", false: "False" },
});
