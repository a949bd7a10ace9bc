import { stripTypeScriptTypes } from "node:module";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import javascript from "../languages/javascript/javascript.ts";
import typescript from "../languages/javascript/typescript.ts";
import { insertCounters } from "./insert-counters.ts";
import { instrumentFiles } from "./instrument-files.ts";

interface Run {
  readonly result: unknown;
  /** Executed lines, ascending. */
  readonly lines: readonly number[];
}

/** Runs a script; its result is the value of `out`. */
function run(text: string): Run {
  const realm: Record<string | symbol, unknown> = { out: undefined };
  runInNewContext(text, realm);
  const key = Symbol.for("millwright.counters");
  const registry = (realm[key] ?? {}) as Record<string, { lines: (number | number[])[]; hits: number[] }>;
  const lines = Object.values(registry).flatMap((file) =>
    file.hits.flatMap((slot) => expand(file.lines[slot] ?? [])),
  );
  return { result: realm["out"], lines: [...new Set(lines)].sort((a, b) => a - b) };
}

function expand(lines: number | number[]): number[] {
  if (typeof lines === "number") return [lines];
  const all: number[] = [];
  for (let pair = 0; pair < lines.length; pair += 2) {
    for (let line = lines[pair] ?? 0; line <= (lines[pair + 1] ?? 0); line += 1) all.push(line);
  }
  return all;
}

/** Each program with the lines that it executes. */
const programs: [string, string, number[]][] = [
  [
    "branches",
    "var a = 1;\nif (a > 1)\n  out = 'more';\nelse if (a === 1) out = 'one';\nelse\n  out = 'less';",
    [1, 2, 4],
  ],
  [
    "loops without braces",
    "out = 0;\nfor (var i = 0; i < 3; i++)\n  out += i;\nwhile (out < 9) out++;\ndo out--\nwhile (out > 5)",
    [1, 2, 3, 4, 5, 6],
  ],
  [
    "no semicolons",
    "var a = [3, 1]\nvar b = a\n;[1].forEach(x => a.push(x))\nlet c = b.length\nout = c\n++c\nout += c",
    [1, 2, 3, 4, 5, 6, 7],
  ],
  [
    "a label",
    "out = 0;\nouter: for (;;) {\n  for (;;) { out++; if (out > 3) break outer; else continue outer }\n}",
    [1, 2, 3],
  ],
  [
    "a switch",
    "switch (2) {\n  case 1:\n    out = 'one';\n    break;\n  case 2:\n  case 3:\n    out = 'few';\n  default:\n    out += '!';\n}",
    [1, 6, 7, 8, 9],
  ],
  [
    "arrows",
    "const f = (a) => a + 1;\nconst g = () => ({ a: 1 });\nconst h = async () => {\n  await 0;\n};\nout = [f(1), g().a, f.name, f.length];",
    [1, 2, 3, 6],
  ],
  ["hoisting", "out = f();\nfunction f() {\n  'use strict';\n  return this === undefined;\n}", [1, 4]],
  ["default values", "function f(a,\n  b = a + 1) {\n  return b;\n}\nout = f(1) + f.length;", [1, 2, 3, 5]],
  [
    "classes",
    "class A {\n  static made = 0;\n  value = 1;\n  #hidden = () => this.value;\n  get hidden() {\n    return this.#hidden();\n  }\n  static {\n    this.made = 2;\n  }\n}\nclass B extends A {\n  constructor() {\n    const before = 3;\n    super();\n    this.value = before;\n  }\n}\nout = [new B().hidden, A.made, new A().value];",
    [1, 2, 3, 4, 5, 6, 8, 9, 12, 13, 14, 15, 16, 19],
  ],
  [
    "errors",
    "try {\n  throw new Error('x');\n  out = 1;\n} catch {\n  out = 2;\n} finally {\n  out += 1;\n}",
    [1, 2, 5, 7],
  ],
  [
    "generators",
    "function* f() {\n  const a = yield 1;\n  yield a;\n}\nconst i = f();\nout = [i.next().value, i.next(5).value];",
    [2, 3, 5, 6],
  ],
  ["a conditional over lines", "out = 1 > 2\n  ? 'a'\n  : 'b';", [1, 3]],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the program's text
  ["template strings", "const f = (x) => `<${[x].map((y) => `${y}!`)}>`;\nout = f(1);", [1, 2]],
  ["let before a comment", "let // first\n  a = 1,\n  b = 2;\nout = a + b;", [1, 2, 3, 4]],
  [
    "comments at ends",
    "let a = 1 // first\nif (a) a++ // then\nelse a--\n;[2].map((x) => x // each\n)\nout = a // last",
    [1, 2, 4, 6],
  ],
  ["directives", "'use strict'\nout = (function () { return this })();", [2]],
];

describe("instrumented JavaScript", () => {
  it.each(programs)("does the same and counts its lines: %s", async (name, text, lines) => {
    const counted = await insertCounters(`${name}.js`, text, javascript);
    expect(counted).not.toBe(text);
    expect(counted.split("\n")).toHaveLength(text.split("\n").length);
    const after = run(counted);
    expect(after.result).toEqual(run(text).result);
    expect(after.lines).toEqual(lines);
  });

  it("keeps the lines of stack traces", async () => {
    const text =
      "\nfunction f() {\n  throw new Error('x'); }\ntry { f() } catch (e) { out = e.stack.match(/:(\\d+):/)[1] }";
    expect(run(await insertCounters("a.js", text, javascript)).result).toBe("3");
  });

  it("keeps what has to stand first: a line for the system, directives, comments for tools", async () => {
    for (const head of [
      "#!/usr/bin/env node\n",
      "/** @jsx h */\n// @ts-check\n",
      "/** @jsx h */\n",
      "'use client'\n",
    ]) {
      const counted = await insertCounters("a.js", `${head}main();\n`, javascript);
      expect(counted.slice(0, head.length)).toBe(head);
      expect(counted).toContain("main();");
      expect(counted).not.toBe(`${head}main();\n`);
    }
  });

  it("leaves the types that comments give with what they are given to", async () => {
    const text = "/** @type {string[]} */\nconst a = []\nb() // done\n/** @type {number} */\nlet c\n";
    const counted = await insertCounters("a.js", text, javascript);
    expect(counted).toContain("/** @type {string[]} */\nconst a");
    expect(counted).toMatch(/b\(\);.* \/\/ done\n/);
    expect(counted).toContain("/** @type {number} */\nlet c");
  });

  it("survives a call before its first line: imports in a circle", async () => {
    const counted = await insertCounters("a.js", "out = 1;\nfunction f() { return 2; }\n", javascript);
    expect(run(`out = f(); ${counted}`).lines).toEqual([1, 2]);
  });

  it("leaves alone what does not parse, has nothing to execute, or is generated", async () => {
    const minified = `var a=1;${"a=a+1;".repeat(3000)}`;
    for (const text of ["foo(;\nbar( {", "export * from './a.js';\n", "", minified]) {
      expect(await insertCounters("a.js", text, javascript)).toBe(text);
    }
    expect(await insertCounters("a.d.ts", "export const a = 1;", typescript)).toBe("export const a = 1;");
  });

  it("leaves a broken part of a file alone and counts the rest", async () => {
    const text = "out = 1;\nclass A { f( { } }\n";
    expect(await insertCounters("a.js", text, javascript)).toContain("class A { f( { } }");
  });
});

describe("instrumented TypeScript", () => {
  const text = `import type { A } from "./a.ts";
import fs = require("node:fs");
export declare const ambient: number;
declare module "other" { const inner: string; }
type T = { a: string };
interface I { b: number }
export abstract class Base<X> {
  declare hidden: string;
  readonly kind: unique symbol = Symbol();
  constructor(protected x: X) {}
  abstract run(): void;
  f(a: string): void;
  f(a: any): void { this.x = a as X; }
}
export class Derived extends Base<number> {
  y = 1;
  constructor() { super(1); this.y = 2; }
  override run() {}
}
enum Colour { red = 1, green }
const enum Size { small }
namespace Space { export const a = 1; export type U = T; }
function over(a: string): string;
function over(a: number): number;
function over(a: any): any { return a satisfies unknown; }
const isText = (a: unknown): a is string => typeof a === "string";
export default over;
`;

  it("still compiles", async () => {
    const counted = await insertCounters("a.ts", text, typescript);
    expect(counted).not.toBe(text);
    expect(counted.split("\n")).toHaveLength(text.split("\n").length);
    expect(() => stripTypeScriptTypes(counted, { mode: "transform" })).not.toThrow();
  });

  it("has nothing before super, between overloads, and around a unique symbol", async () => {
    const counted = await insertCounters("a.ts", text, typescript);
    expect(counted).toContain("constructor() { super(1);;");
    expect(counted).toContain(
      "\nfunction over(a: string): string;\nfunction over(a: number): number;\nfunction over(a: any)",
    );
    expect(counted).toContain("unique symbol = Symbol();");
    expect(counted).toContain('\ndeclare module "other" { const inner: string; }\n');
  });

  it("counts in JSX", async () => {
    const jsx = "export const List = (p: P) => <ul>{p.all.map((one) => <li key={one}>{one}</li>)}</ul>;\n";
    expect(await insertCounters("a.tsx", jsx, typescript)).toMatch(
      /\(one\) => \(mw_\w+&&.*,<li key=\{one\}>/,
    );
  });
});

it("instruments the files that have something to count, by their ending", async () => {
  const files = ["a.js", "b.ts", "c.py", "d.md", "e.d.ts"].map((path) => ({ path, text: "x = 1\n" }));
  expect((await instrumentFiles(files)).map((file) => file.path)).toEqual(["a.js", "b.ts"]);
});
