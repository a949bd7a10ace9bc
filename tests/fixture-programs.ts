/** Programs for tests of parsing and repair: every kind of statement and expression, in each language with a dialect. */
import { readFileSync } from "node:fs";
import type { Language } from "../src/languages/contract.ts";

const grammars: Readonly<Record<string, readonly [name: string, grammar: string]>> = {
  ".py": ["python", "tree-sitter-python/tree-sitter-python.wasm"],
  ".go": ["go", "tree-sitter-go/tree-sitter-go.wasm"],
  ".java": ["java", "tree-sitter-java/tree-sitter-java.wasm"],
  ".js": ["javascript", "tree-sitter-javascript/tree-sitter-javascript.wasm"],
  ".ts": ["typescript", "tree-sitter-typescript/tree-sitter-typescript.wasm"],
  ".rb": ["ruby", "tree-sitter-ruby/tree-sitter-ruby.wasm"],
  ".rs": ["rust", "tree-sitter-rust/tree-sitter-rust.wasm"],
  ".tsx": ["typescript", "tree-sitter-typescript/tree-sitter-tsx.wasm"],
};

export function languageOfFixture(file: string): Pick<Language, "name" | "grammar"> {
  const [name, grammar] = grammars[file.slice(file.lastIndexOf("."))] ?? ["", ""];
  return { name, grammar: () => grammar };
}

function read(name: string): string {
  return readFileSync(new URL(`fixtures/programs/${name}`, import.meta.url), "utf8");
}

export const fixturePrograms: Readonly<Record<string, string>> = {
  "shelf.py": read("shelf.py"),
  "shelf.js": read("shelf.js"),
  "store.ts": read("store.ts"),
  "list.tsx": read("list.tsx"),
  "Shelf.java": read("Shelf.java"),
  "shelf.rs": read("shelf.rs"),
  "shelf.go": read("shelf.go"),
  "shelf.rb": read("shelf.rb"),
  "windows.py": read("shelf.py").replaceAll("\n", "\r\n"),
};
