import { describe, expect, it } from "vitest";
import type { Dialect } from "./dialect.ts";
import go from "./dialects/go.ts";
import java from "./dialects/java.ts";
import javascript from "./dialects/javascript.ts";
import python from "./dialects/python.ts";
import rust from "./dialects/rust.ts";
import typescript from "./dialects/typescript.ts";
import { nodeAt, parseSyntax } from "./node.ts";
import type { Source } from "./reading.ts";
import { namesAt, readScopes } from "./scope.ts";
import { enclosingFunction, statementsAround, statementsOf, statementsOnLine } from "./statements.ts";

const grammars: Record<string, string> = {
  rust: "tree-sitter-rust/tree-sitter-rust.wasm",
  go: "tree-sitter-go/tree-sitter-go.wasm",
  java: "tree-sitter-java/tree-sitter-java.wasm",
  python: "tree-sitter-python/tree-sitter-python.wasm",
  javascript: "tree-sitter-javascript/tree-sitter-javascript.wasm",
  typescript: "tree-sitter-typescript/tree-sitter-typescript.wasm",
};

async function read(dialect: Dialect, text: string): Promise<Source> {
  const tree = await parseSyntax(grammars[dialect.language] ?? "", text);
  return { file: "a", tree, dialect };
}

async function namesBefore(dialect: Dialect, text: string, mark: string): Promise<string[]> {
  const source = await read(dialect, text);
  const names = namesAt(
    readScopes(source),
    nodeAt(source.tree.root, text.indexOf(mark), text.indexOf(mark) + 1),
  );
  return names.map((name) => `${name.kind} ${name.name}`).sort();
}

describe("namesAt", () => {
  it("reads a call of a Go function that is named like a property of JavaScript's objects", async () => {
    const text = [
      "package p",
      'func toString(count int) string { return "" }',
      "func Tell(count int) string { text := toString(count); MARK(text) }",
    ].join("\n");
    expect(await namesBefore(go, text, "MARK")).toContain("local text");
  });

  it("knows the kinds of Go's names, the block that each lives in, and the fields of a method's own object", async () => {
    const text = [
      "package p",
      "var limit, most = 3, 4",
      "type Zone struct { size, count int }",
      "func (z *Zone) Grow(by int) { z.size += by; z.touch() }",
      "func (o Other) Grow(by int) { o.depth++ }",
      "func (z Zone) Find(key string, rest ...int) (found bool, err error) {",
      "  total, err := z.count, nil",
      "  if gone := total; gone > 1 { inner := 1; use(inner) }",
      "  for i := 0; i < 3; i++ { for at, each := range rest { MARK(at, each) } }",
      "  later := 2",
      "}",
      "func helper(other int) {}",
    ].join("\n");
    expect(await namesBefore(go, text, "MARK")).toEqual([
      "attribute z.count",
      "attribute z.size",
      "function helper",
      "local err",
      "local gone",
      "local i",
      "local limit",
      "local most",
      "local total",
      "loop at",
      "loop each",
      "parameter found",
      "parameter key",
      "parameter rest",
      "parameter z",
    ]);
  });

  it("knows the kinds of Java's names, and the block that each lives in", async () => {
    const text = [
      "class Zone {",
      "  private int size = 1;",
      "  int find(String key, int... rest) {",
      "    this.count = 1;",
      "    if (key == null) { int gone = 1; }",
      "    for (int i = 0; i < 3; i++) for (String each : key.split(key)) MARK();",
      "    int later = 2;",
      "    return helper(later);",
      "  }",
      "  int helper(int other) { return other; }",
      "}",
    ].join("\n");
    expect(await namesBefore(java, text, "MARK")).toEqual([
      "attribute this.count",
      "class Zone",
      "function find",
      "function helper",
      "local i",
      "local size",
      "loop each",
      "parameter key",
      "parameter rest",
    ]);
  });

  it("knows the kinds of Python's names, and only those bound before", async () => {
    const text = [
      "import os.path, json as j",
      "from a import b as c, d",
      "limit = 3",
      "class Zone:",
      "    size = 1",
      "    def find(self, key, *rest, deep: int = 0):",
      "        self.count = 1",
      "        for i, (x, y) in enumerate(rest):",
      "            total = [z for z in key]",
      "            MARK",
      "            later = 2",
      "    def other(self): pass",
      "def helper(): inner = 1",
    ].join("\n");
    expect(await namesBefore(python, text, "MARK")).toEqual(
      [
        "attribute self.count",
        "class Zone",
        "function helper",
        "import c",
        "import d",
        "import j",
        "import os",
        "local limit",
        "local total",
        "loop i",
        "loop x",
        "loop y",
        "parameter deep",
        "parameter key",
        "parameter rest",
        "parameter self",
      ].sort(),
    );
  });

  it("keeps JavaScript's block scopes apart", async () => {
    const text = [
      'import a, { b as c } from "m";',
      "const { d, e: f, ...g } = a, [h = 1] = c;",
      "function q(p, r = 1, { s }, ...t) {",
      "  if (p) { const hidden = 1; }",
      "  for (const u of t) { MARK; }",
      "  for (let v = 0; v < 1; v++) {}",
      "  const arrow = (w) => w;",
      "}",
    ].join("\n");
    expect(await namesBefore(javascript, text, "MARK")).toEqual(
      [
        "function q",
        "import a",
        "import c",
        "local d",
        "local f",
        "local g",
        "local h",
        "loop u",
        "parameter p",
        "parameter r",
        "parameter s",
        "parameter t",
      ].sort(),
    );
  });

  it("reads TypeScript's parameters without their types", async () => {
    const text = "function f<T extends A>(a: Map<B, T>, b?: string): T {\n  const c: D = a;\n  MARK;\n}\n";
    expect(await namesBefore(typescript, text, "MARK")).toEqual([
      "function f",
      "local c",
      "parameter a",
      "parameter b",
    ]);
  });

  it("knows the kinds of Rust's names, and which of a pattern's bind", async () => {
    const text = [
      "use std::fmt;",
      "const LIMIT: usize = 1;",
      "impl Zone {",
      "    fn find(&self, key: &str, (low, high): (u8, u8)) -> Option<u8> {",
      "        self.count += 1;",
      "        let Some(first) = self.names.get(LIMIT) else { return None };",
      "        for (i, each) in key.chars().enumerate() {",
      "            match each { Kind::Wide { width: w, .. } if w > MOST => MARK, None => 1, other => 2 };",
      "        }",
      "        let later = |x| x + 1;",
      "    }",
      "}",
      "fn helper() {}",
    ].join("\n");
    expect(await namesBefore(rust, text, "MARK")).toEqual(
      [
        "attribute self.count",
        "attribute self.names",
        "function find",
        "function helper",
        "local LIMIT",
        "local first",
        "local w",
        "loop each",
        "loop i",
        "parameter high",
        "parameter key",
        "parameter low",
      ].sort(),
    );
  });

  it("sees a comprehension's variable in the comprehension", async () => {
    expect(await namesBefore(python, "def f(a):\n    return [MARK for x in a]\n", "MARK")).toContain(
      "loop x",
    );
  });
});

describe("statements", () => {
  const text = [
    "@cache", // 1
    "def f(a,", // 2
    "      b):", // 3
    "    if (a and", // 4
    "            b):", // 5
    "        return g(", // 6
    "            a)", // 7
    "    else:", // 8
    "        b = 1; a = 2", // 9
    "    def inner():", // 10
    "        return 1", // 11
  ].join("\n");

  it("own their lines without those of what is nested in them", async () => {
    const statements = statementsOf(await read(python, text));
    const lines = statements.map((s) => [s.node.kind, s.startLine, s.endLine, s.ownLines.join(" ")]);
    expect(lines).toEqual([
      ["decorated_definition", 1, 1, "1"],
      ["function_definition", 2, 3, "2 3"],
      ["if_statement", 4, 5, "4 5 8"],
      ["return_statement", 6, 7, "6 7"],
      ["expression_statement", 9, 9, "9"],
      ["expression_statement", 9, 9, "9"],
      ["function_definition", 10, 10, "10"],
      ["return_statement", 11, 11, "11"],
    ]);
    expect(statementsOnLine(statements, 9)).toHaveLength(2);
    expect(statementsAround(statements, 6, 1).map((s) => s.startLine)).toEqual([4, 6]);
  });

  it("are also the values of blocks, and not what tests them", async () => {
    const text = [
      "impl<T> Shelf<T> {", // 1
      "    fn most(&self) -> u8 {", // 2
      "        if self.a { return 1; }", // 3
      "        match self.b {", // 4
      "            0 => 1,", // 5
      "            _ => self", // 6
      "                .c(),", // 7
      "        }", // 8
      "    }", // 9
      "}", // 10
      "#[cfg(test)]", // 11
      "mod tests { #[test] fn f() { g(); } }", // 12
    ].join("\n");
    const source = await read(rust, text);
    const lines = statementsOf(source).map((s) => [s.node.kind, s.role, s.startLine, s.ownLines.join(" ")]);
    expect(lines).toEqual([
      ["impl_item", "class", 1, "1"],
      ["function_item", "function", 2, "2"],
      ["if_expression", "if", 3, "3"],
      ["return_expression", "return", 3, "3"],
      ["match_expression", "statement", 4, "4"],
      ["match_arm", "statement", 5, "5"],
      ["match_arm", "statement", 6, "6 7"],
    ]);
    expect(enclosingFunction(source, nodeAt(source.tree.root, text.indexOf("match")))?.name).toBe(
      "Shelf.most",
    );
  });

  it("name the function around them with its class", async () => {
    const source = await read(
      javascript,
      "class A {\n  m() {\n    const go = () => {\n      MARK;\n    };\n  }\n}\n",
    );
    const node = nodeAt(source.tree.root, source.tree.text.indexOf("MARK"));
    expect(enclosingFunction(source, node)).toMatchObject({ name: "A.m.go", startLine: 3, endLine: 5 });
    expect(enclosingFunction(source, source.tree.root)).toBeUndefined();
  });
});
