import { defineLanguageServer } from "../language-server.ts";

export default defineLanguageServer({
  name: "typescript",
  title: "TypeScript language server (JavaScript and TypeScript)",
  languageIds: {
    ".ts": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".tsx": "typescriptreact",
    ".js": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".jsx": "javascriptreact",
  },
  programs: [
    {
      program: "tsc",
      arguments: ["--lsp", "--stdio"],
      version: ["tsc", "--version"],
      // The compiler speaks the protocol since 7.0.
      accepts: (version) => Number(/(\d+)\.\d+/.exec(version)?.[1] ?? 0) >= 7,
    },
    { program: "tsgo", arguments: ["--lsp", "--stdio"], version: ["tsgo", "--version"] },
    {
      program: "typescript-language-server",
      arguments: ["--stdio"],
      version: ["typescript-language-server", "--version"],
    },
  ],
  remedy: "Run `npm install --prefix ~/.local/share/millwright/servers typescript@7`.",
  readiness: "at-once",
});
