import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "java",
  extensions: [".java"],
  grammar: () => "tree-sitter-java/tree-sitter-java.wasm",
  testFiles: [
    "**/src/{test,it,integration-test,integrationTest,testFixtures,jmh}/**/*.java",
    "**/{test,tests}/**/*{Test,Tests,TestCase,IT}.java",
    "**/{Test*,*Test,*Tests,*TestCase}.java",
  ],
});
