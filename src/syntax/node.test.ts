import { describe, expect, it } from "vitest";
import { childOf, nodeAt, parentsOf, parseSyntax, textOf, walk } from "./node.ts";
import { canParse, countSyntaxErrors, loadParser, parseTree, parseUntil, withTree } from "./parser.ts";

const python = "tree-sitter-python/tree-sitter-python.wasm";
const javascript = "tree-sitter-javascript/tree-sitter-javascript.wasm";
const typescript = "tree-sitter-typescript/tree-sitter-typescript.wasm";
const tsx = "tree-sitter-typescript/tree-sitter-tsx.wasm";

describe("positions", () => {
  it("are UTF-16 offsets of the text, whatever stands before", async () => {
    const text = 'greeting = "🦉é漢"\ntotal = greeting + 1\n';
    const tree = await parseSyntax(python, text);
    const sum = [...walk(tree.root)].find((node) => node.kind === "binary_operator");
    expect(sum && textOf(tree, sum)).toBe("greeting + 1");
    expect(sum?.startLine).toBe(2);
    expect(sum && text.slice(sum.start, sum.end)).toBe("greeting + 1");
  });

  it("agree between the parser's tree and the plain one", async () => {
    const text = "const a = `🦉` + b;\nfunction f(x) {\n  return x;\n}\n";
    const plain = await parseSyntax(javascript, text);
    const spans = [...walk(plain.root)].map((node) => [node.kind, node.start, node.end]);
    const original = await withTree(javascript, text, (tree) => {
      const all: [string, number, number][] = [];
      const visit = (node: typeof tree.rootNode): void => {
        all.push([node.type, node.startIndex, node.endIndex]);
        for (const child of node.children) visit(child);
      };
      visit(tree.rootNode);
      return all;
    });
    expect(spans).toEqual(original);
  });
});

describe("a plain tree", () => {
  it("knows fields, parents and the smallest node of a span", async () => {
    const text = "def f(a):\n    return a < 2\n";
    const tree = await parseSyntax(python, text);
    const node = nodeAt(tree.root, text.indexOf("<"), text.indexOf("<") + 1);
    expect(node.kind).toBe("<");
    expect([...parentsOf(node)].map((parent) => parent.kind)).toEqual([
      "comparison_operator",
      "return_statement",
      "block",
      "function_definition",
      "module",
    ]);
    const definition = tree.root.children[0];
    const name = definition && childOf(definition, "name");
    expect(name && textOf(tree, name)).toBe("f");
  });

  it("of a very long chain does not overflow the stack", async () => {
    const text = `x = ${Array.from({ length: 5000 }, () => "1").join(" + ")}\n`;
    const tree = await parseSyntax(python, text);
    expect([...walk(tree.root)].filter((node) => node.kind === "binary_operator")).toHaveLength(4999);
  });
});

describe("countSyntaxErrors", () => {
  it.each([
    [python, "def f():\n    return 1\n"],
    [javascript, "export const f = (a) => <b>{a}</b>;\n"],
    [typescript, "const f = <T,>(a: T): T => a as T;\n"],
    [tsx, "const f = <T,>(a: T) => <b<T> a={a}/>;\n"],
  ])("is 0 for correct text of %s", async (grammar, text) => {
    expect(await countSyntaxErrors(grammar, text)).toBe(0);
  });

  it.each([
    [python, "def f(:\n    return 1\n"],
    [javascript, "const f = (a => ;\n"],
    [typescript, "const f: = 3;\n"],
  ])("is more for broken text of %s", async (grammar, text) => {
    expect(await countSyntaxErrors(grammar, text)).toBeGreaterThan(0);
  });
});

describe("withTree", () => {
  it.each([2_000, 20_000])(
    "reads a broken text of %i open calls, and what follows",
    async (count) => {
      expect(await countSyntaxErrors(python, "env::var(".repeat(count))).toBeGreaterThan(0);
      expect(await countSyntaxErrors(python, "x = 1\n")).toBe(0);
    },
    30_000,
  );

  it.each([
    ["tree-sitter-c/tree-sitter-c.wasm", "/* "],
    [javascript, "/* "],
    ["tree-sitter-rust/tree-sitter-rust.wasm", 'r#"'],
  ])("ends a parse in %s that takes too long, and reads the next text", async (grammar, piece) => {
    const parser = await loadParser(grammar);
    const started = Date.now();
    expect(parseUntil(parser, piece.repeat(40_000), started + 200)).toBeUndefined();
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(await countSyntaxErrors(grammar, "")).toBe(0);
    expect(await countSyntaxErrors(grammar, "a b c )(")).toBeGreaterThan(0);
  });

  it("tells a text that nests too deeply from one with errors", async () => {
    expect(await canParse(python, "env::var(".repeat(20_000))).toBe(false);
    expect(await canParse(python, "def f(:")).toBe(true);
  }, 30_000);

  it("reads texts after several that nest too deeply", async () => {
    const parser = await loadParser(python);
    const statements = "def f(a, b):\n    return g(a, [b, 1], {2: (3, h(4))})\n".repeat(400);
    for (let round = 0; round < 3; round += 1) {
      expect(await canParse(python, `${"env::var(".repeat(20_000)}\nx = ${round}\n`)).toBe(false);
      // The engine compiles itself anew meanwhile, so that the next text ends at another place.
      for (let at = 0; at < 60; at += 1) parseTree(parser, `${statements}# ${round} ${at}`).delete();
    }
    expect(await countSyntaxErrors(python, statements)).toBe(0);
  }, 60_000);

  it("says which grammar is missing", async () => {
    await expect(withTree("tree-sitter-none/none.wasm", "", () => 0)).rejects.toThrow(
      "tree-sitter-none/none.wasm",
    );
  });

  it("hands on what the callback throws", async () => {
    await expect(
      withTree(python, "x = 1\n", () => {
        throw new Error("from inside");
      }),
    ).rejects.toThrow("from inside");
  });
});
