import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Definition } from "../../domain/code-symbols.ts";
import { extractSymbols } from "../symbols/extract-symbols.ts";
import { createNames } from "./names.ts";
import { createWordReader, type ReadWords } from "./read-words.ts";

const reader = createWordReader(createNames());

function read(language: string, text: string): ReadWords {
  const bytes = Buffer.from(`${text}\0`);
  const words = reader.read(language, bytes, bytes.length - 1);
  if (words === undefined) throw new Error(`no lexis for ${language}`);
  return words;
}

/** `kind qualified line-end`. */
function outline(language: string, text: string): string[] {
  const { definitions } = read(language, text);
  const qualified = (one: Definition): string => {
    const around = definitions[one.container];
    const owner = around === undefined && one.owner !== undefined ? `${one.owner}.` : "";
    return `${around === undefined ? owner : `${qualified(around)}.`}${one.name}`;
  };
  return definitions.map((one) => `${one.kind} ${qualified(one)} ${one.at.line}-${one.endLine}`);
}

/** Returns the words of the code, or those of comments and strings. */
function words(language: string, text: string, of: "code" | "prose"): string[] {
  const { tokens } = read(language, text);
  const [numbers, count] = of === "code" ? [tokens.what, tokens.count] : [tokens.prose, tokens.proseCount];
  return [...numbers.subarray(0, count)].filter((what) => what >= 0).map((what) => reader.names.textOf(what));
}

describe("what words tell of a text", () => {
  it.each([
    [
      "rust",
      `let x = r#"in "str" // s"#; // note 'a\nlet y: &'life str = 'c'; /* a /* b */ c */ after`,
      "let x let y str after",
      "in str s note a a b c",
    ],
    ["python", `x = """doc # no"""  # why\ny = 'it\\'s' + f"a"`, "x y f", "doc no why it s a"],
    [
      "javascript",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of JavaScript
      "const a = /[/'\"]+/g.test(b) ? `t ${c(`u`)} v` : d / e; // end",
      "const a g test b c d e",
      "t u v end",
    ],
    ["lua", "local a = [[long ]] --[==[ no ]] yet ]==] b", "local a b", "long no yet"],
    ["csharp", 'var a = @"c: dir ""x"" "; // y\nb();', "var a b", "c dir x y"],
    ["cpp", 'auto a = R"x(raw ")" )x"; b;', "auto a b", "raw"],
    ["go", 'a := `raw " ` + "s" + \'r\'', "a", "raw s"],
  ])("tells code from comments and strings: %s", (language, text, code, prose) => {
    expect(words(language, text, "code").join(" ")).toBe(code);
    expect(words(language, text, "prose").join(" ")).toBe(prose);
  });

  it("follows scopes: braces, indentation, end", () => {
    expect(
      outline(
        "rust",
        "impl<T> Show for a::Cart<T> {\n  fn total(&self) -> u8 { let f = |x| { x }; 1 }\n}\npub enum E { A, B { x: u8 } }\nmacro_rules! m { () => {} }",
      ),
    ).toEqual([
      "method Cart.total 2-2",
      "enum E 4-4",
      "field E.A 4-4",
      "field E.B 4-4",
      "field E.B.x 4-4",
      "macro m 5-5",
    ]);
    expect(
      outline(
        "python",
        "class A(B):\n    size: int = 1\n    def f(self,\n          x):\n        self.y = 2\n\n    def g(self):\n        pass\n\nTOP = A()\n",
      ),
    ).toEqual([
      "class A 1-8",
      "field A.size 2-2",
      "method A.f 3-5",
      "field A.y 5-5",
      "method A.g 7-8",
      "constant TOP 10-10",
    ]);
    expect(
      outline(
        "lua",
        "local M = {}\nfunction M.a.b:run(x)\n  if x then return end\n  for i = 1, 2 do f(i) end\nend\nreturn M\n",
      ),
    ).toEqual(["variable M 1-1", "method b.run 2-5"]);
    expect(
      outline(
        "typescript",
        "export class A<T> extends B {\n  x?: number\n  constructor(private y: T) { this.z = 1 }\n  run = async () => {\n    go()\n  }\n}\nexport const f = (a: number): string => {\n  return a\n}\n",
      ),
    ).toEqual([
      "class A 1-7",
      "field A.x 2-2",
      "method A.constructor 3-3",
      "field A.z 3-3",
      "method A.run 4-6",
      "function f 8-10",
    ]);
    expect(
      outline(
        "java",
        "@A(b = {1}) public class C<T> extends D implements E, F {\n  int a = 1, b;\n  @Override public Map<K, V> get(int x) throws Y {\n    run(new Z() { void in() {} });\n  }\n  enum G { H, I(1) { }; int j; }\n}",
      ),
    ).toEqual([
      "class C 1-7",
      "field C.a 2-2",
      "field C.b 2-2",
      "method C.get 3-5",
      "method C.get.in 4-4",
      "enum C.G 6-6",
      "field C.G.H 6-6",
      "field C.G.I 6-6",
      "field C.G.j 6-6",
    ]);
  });

  it("reads broken and hostile texts to their end", () => {
    for (const language of [
      "c",
      "cpp",
      "csharp",
      "go",
      "java",
      "javascript",
      "kotlin",
      "lua",
      "python",
      "rust",
      "typescript",
    ])
      for (const text of [
        "",
        "\0",
        "}}}}))]]",
        "{{{{(((",
        '"',
        "'",
        "/*",
        "`$".concat("{`$", "{"),
        'r#"',
        "function",
        "class",
        "#define",
        "@@@",
        "<<<<<",
        "fn fn fn",
        "a".repeat(5000),
        "é🙂ü = ñ",
      ])
        expect(() => read(language, text)).not.toThrow();
  });

  it("tells columns in UTF-16 code units", () => {
    const text = 'const A: &str = "🙂é"; const É: u8 = 1; const B: u8 = 2;\nfn f() {}';
    const columns = read("rust", text).definitions.map(({ at }) => at.column);
    expect(columns).toEqual([text.indexOf("A:"), text.indexOf("É:"), text.indexOf("B:"), 3]);
  });

  it("nests no deeper than a person does", () => {
    const { definitions } = read("java", "class A { ".repeat(300));
    expect(definitions).toHaveLength(300);
    let [depth, at] = [0, 299];
    for (; at >= 0; at = definitions[at]?.container ?? -1) depth++;
    expect(depth).toBe(100);
  });
});

const repos = join(import.meta.dirname, "../../../tests/fixtures/repos");

async function compare(folder: string): Promise<{ hits: number; wanted: number; given: number }> {
  let [hits, wanted, given] = [0, 0, 0];
  for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    if (!/\.\w+$/.test(path)) continue;
    const bytes = readFileSync(join(folder, path));
    const symbols = await extractSymbols(path, bytes.toString());
    if (symbols === undefined || /markdown|restructured/.test(symbols.language)) continue;
    const keys = (all: readonly Definition[]): Set<string> =>
      new Set(all.map(({ name, at }) => `${name} ${at.line}`));
    const [syntax, lexical] = [
      keys(symbols.definitions),
      keys(read(symbols.language, bytes.toString()).definitions),
    ];
    hits += [...syntax].filter((key) => lexical.has(key)).length;
    wanted += syntax.size;
    given += lexical.size;
  }
  return { hits, wanted, given };
}

describe("definitions by words against those by syntax", () => {
  it.each([
    "c",
    "cpp",
    "csharp",
    "go",
    "java",
    "javascript",
    "kotlin",
    "lua",
    "python",
    "rust",
    "tsx",
    "typescript",
  ])("%s", async (name) => {
    const { hits, wanted, given } = await compare(join(repos, `graph-${name}`));
    expect(wanted).toBeGreaterThan(10);
    expect(hits / wanted).toBeGreaterThanOrEqual(0.9);
    expect(hits / given).toBeGreaterThanOrEqual(0.95);
  });
});
