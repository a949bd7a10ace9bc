import { describe, expect, test } from "vitest";
import type { TracePlan, TraceSpec } from "../tracer.ts";
import javascript from "./javascript.ts";

const paths = { root: "/project", runtime: "/run time", scratch: "/scratch" };

function plan(
  files: Readonly<Record<string, string>>,
  specs: readonly TraceSpec[],
  depth = 0,
): Promise<TracePlan> {
  const read = (path: string) => Promise.resolve(files[path]);
  return javascript.plan({ sources: { files: Object.keys(files), read }, specs, depth, paths });
}

const all = (path: string): TraceSpec => ({ path, names: ["*"] });
const namesOf = ({ functions }: TracePlan): string[] => functions.map(({ name }) => name);

test("names functions by what they stand in and by what they are given to", async () => {
  const text = [
    "export default function () { const inner = () => 1; return inner; }",
    "class A { static #b() {} get c() { return 1 } 'd e'() {} f = async () => {}; [g]() {} }",
    "A.prototype.h = function* () {}; exports.i = module.exports = () => {}; this.j = () => {};",
    "const api = { k() {}, l: { m: function () {} } }, n = memoize((x) => x), { o = () => 1 } = {};",
    "function p(q = () => 1) { return function () { return (r) => r } }",
    "items.map((x) => x); (function () { function s() {} })();",
  ].join("\n");
  const { functions } = await plan({ "a.js": text }, [all("a.js")]);
  expect(functions.filter(({ level }) => level === "values").map(({ name }) => name)).toEqual([
    ..."default default.inner A.#b A.c A.d e A.f A.[g] A.h default j api.k api.l.m n o".split(/ (?!e )/),
    ..."p p.q p.(returned) p.(returned).(returned) s".split(" "),
  ]);
  expect(functions.filter(({ group }) => group === "left-out")).toMatchObject([
    { name: "(anonymous)", line: 6, level: "none" },
    { name: "(anonymous)", line: 6, level: "none" },
  ]);
});

test("tells the callbacks without a name in what is asked for as left out", async () => {
  const text =
    "function one(list) { return list.map((x) => x).filter(function () {}) }\nvoid [].map(() => 1);\n";
  const { functions } = await plan({ "a.js": text }, [{ path: "a.js", names: ["one"] }]);
  expect(functions.map(({ name, group }) => `${name} ${group}`)).toEqual([
    "one function",
    "one.(anonymous) left-out",
    "one.(anonymous) left-out",
  ]);
});

test("takes names by their ends, and suggests the nearest for what is unknown", async () => {
  const text =
    "class Parser { parse() {} parseé() {} } function parse() {} function other() { function parse() {} }";
  const files = { "a.js": text };
  const asked = async (...names: string[]) => namesOf(await plan(files, [{ path: "a.js", names }]));
  expect(await asked("Parser::parse")).toEqual(["Parser.parse"]);
  expect(await asked("Parser.*", "other")).toEqual(["Parser.parse", "Parser.parseé", "other"]);
  expect(await asked("parse")).toEqual(["Parser.parse", "parse", "other.parse"]);
  const { unknown } = await plan(files, [{ path: "a.js", names: ["prase"] }]);
  expect(unknown).toMatchObject([{ name: "prase", functions: 5 }]);
  expect(unknown[0]?.nearest.slice(0, 2)).toContain("parse");
});

test("follows calls inside the repository so many steps, through imports and what exports anew", async () => {
  const files = {
    "src/main.ts": `import { first as one } from "./index.js"; import Maker from "./maker";\nexport function main() { one(); new Maker(); }\nfunction idle() {}`,
    "src/index.ts": `export * from "./steps.ts";`,
    "src/steps.ts": `const second = () => third.run(); const third = { run() { return last() } }; function last() {}\nexport function first() { return second() }`,
    "src/maker.js": `const { last: end } = require("./steps"); export default class Maker { constructor() { end() } }`,
  };
  const reached = async (depth: number) =>
    namesOf(await plan(files, [{ path: "src/main.ts", names: ["main"] }], depth));
  expect(await reached(0)).toEqual(["main"]);
  expect(await reached(1)).toEqual(["main", "first", "Maker.constructor"]);
  expect(await reached(2)).toEqual(["main", "second", "last", "first", "Maker.constructor"]);
  expect(await reached(3)).toEqual(["main", "second", "third.run", "last", "first", "Maker.constructor"]);
});

describe("the inserted text", () => {
  test("moves no line, keeps directives first, and stays behind comments at the end", async () => {
    const text = `#!/usr/bin/env node\n"use strict";\n// one\nfunction f() {\n  "use server"\n  return 1 // why\n}\nconst g = () => f() // last\n//# sourceMappingURL=a.js.map`;
    const { changes } = await plan({ "a.js": text }, [all("a.js")]);
    const lines = changes[0]?.content.split("\n") ?? [];
    expect(lines).toHaveLength(text.split("\n").length);
    expect(lines.slice(0, 3)).toEqual(text.split("\n").slice(0, 3));
    expect(lines[4]).toMatch(/^ {2}"use server";var /);
    expect(lines[7]).toMatch(/function mw_\w+\(.* \/\/ last$/);
    expect(lines[8]).toBe("//# sourceMappingURL=a.js.map");
  });

  test("leaves out what it could not be put into, with the reason", async () => {
    const twice = "function f() { var a = 1; function a() {} return a }\nfunction g() { return 1 }\n";
    const { functions } = await plan({ "a.js": twice, "a.d.ts": "function f(): void {}" }, [
      all("a.js"),
      all("a.d.ts"),
    ]);
    expect(functions.map(({ name, level, group }) => [name, level, group])).toEqual([
      ["f", "none", "left-out"],
      ["f.a", "values", "function"],
      ["g", "values", "function"],
      ["f", "none", "left-out"],
    ]);
    expect(functions[0]?.reason).toContain("more than once");
  });
});

test("a compiler's complaint weakens the innermost function at its place, twice at most", async () => {
  const text = "export function outer() {\n  const inner = () =>\n    1;\n  return inner();\n}\n";
  const first = await plan({ "src/a.ts": text }, [all("src/a.ts")]);
  const levels = (one: TracePlan | undefined) => one?.functions.map(({ level }) => level);
  const complaint = {
    stdout: "",
    stderr: "\u001b[96m/project/src/a.ts\u001b[0m:\u001b[93m3\u001b[0m:5 - error TS2322: Type\n",
  };
  const second = await first.heal?.(complaint);
  expect(levels(second)).toEqual(["values", "calls"]);
  const third = await second?.heal?.(complaint);
  expect(levels(third)).toEqual(["values", "none"]);
  expect(third?.functions[1]?.reason).toContain("does not compile");
  expect(levels(await third?.heal?.(complaint))).toEqual(["calls", "none"]);
  expect(await first.heal?.({ stdout: "src/a.ts:3:1 is fine\n", stderr: "" })).toBeUndefined();
  const thrown =
    "/project/src/a.ts:3\nSyntaxError: bad 3\n    at outer (/project/src/a.ts:3:9)\n × src/a.test.ts > fails\n ❯ src/a.ts:3:5\n";
  expect(await first.heal?.({ stdout: "", stderr: thrown })).toBeUndefined();
  expect(first.buildErrors?.({ stdout: "", stderr: thrown })).toEqual([]);
  const unread =
    "/a.js:1\nSyntaxError: Unexpected token '}'\n    at wrapSafe (node:internal/modules/cjs/loader:1691:18)\n";
  expect(first.buildErrors?.({ stdout: "", stderr: unread })).toEqual(["SyntaxError: Unexpected token '}'"]);
  const oxc = "\u001b[31m[PARSE_ERROR] \u001b[0mUnexpected token\n -  in src/a.ts at 28..29\n";
  expect(first.buildErrors?.({ stdout: "", stderr: oxc })).toEqual(["src/a.ts: Unexpected token"]);
  const long = `${"a".repeat(200_000)}\n${"{".repeat(200_000)}`;
  expect(await first.heal?.({ stdout: long, stderr: long })).toBeUndefined();
  const babel = await first.heal?.({
    stdout: "",
    stderr: "SyntaxError: /project/src/a.ts: Missing semicolon. (3:5)\n",
  });
  expect(levels(babel)).toEqual(["values", "calls"]);
  expect(first.buildErrors?.({ stdout: "src/a.ts(3,5): error TS2322: Type\n", stderr: "" })).toEqual([
    "src/a.ts(3,5): error TS2322: Type",
  ]);
});

test("the runtime is named so that NODE_OPTIONS takes a path with spaces", async () => {
  const { env } = await plan({ "a.js": "function f() {}" }, [all("a.js")]);
  expect(env["NODE_OPTIONS"]).toBe('--require "/run time/javascript-trace/preload.cjs"');
});
