import { defineLanguage } from "../contract.ts";

export default defineLanguage({
  name: "ruby",
  extensions: [".rb", ".rake", ".gemspec", ".ru"],
  grammar: () => "tree-sitter-ruby/tree-sitter-ruby.wasm",
  testFiles: [
    "**/{test,tests,spec,specs}/**/*.rb",
    "**/*_{test,spec}.rb",
    "**/test_*.rb",
    "**/{Rakefile,*.rake,*.gemspec}",
  ],
  constants: { null: "nil" },
});
