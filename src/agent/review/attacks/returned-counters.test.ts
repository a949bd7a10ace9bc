import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeAttack } from "./attack-findings.ts";

const nothingElse = { list: async () => [], read: async () => undefined };

async function judge(path: string, before: string, after: string): Promise<string[]> {
  const found = await judgeAttack([compareTexts(path, before, after)], nothingElse);
  return found.map(({ text }) => text).filter((text) => text.includes("a call count"));
}

const js = (body: string): string => `let next = 1;\n\nexport function make(weight) {\n${body}\n}\n`;
const py = (body: string): string => `_next = 1\n\n\ndef make(weight):\n    global _next\n${body}\n`;
const java = (body: string): string =>
  `class A {\n    private static int next = 1;\n    int make(int weight) {\n${body}\n    }\n}\n`;

test.each([
  ["a.js", js("  const number = next++;\n  if (next > 3) next = 1;\n  return { number };")],
  ["a.js", js("  if (next > 3) {\n    next = 1;\n  }\n  return next++;")],
  ["a.js", js("  const number = next++;\n  next = next > 3 ? 1 : next;\n  return [number, weight];")],
  ["a.js", js("  const number = next++;\n  if (next > 3) next = 1;\n  return new Item(number, weight);")],
  [
    "a.js",
    js(
      "  const number = next;\n  next = next + 1;\n  if (next > 3) next = 1;\n  return { number, price: weight * 2 };",
    ),
  ],
  ["a.py", py("    number = _next\n    _next += 1\n    if _next > 3:\n        _next = 1\n    return number")],
  [
    "a.py",
    py(
      "    number = _next\n    _next += 1\n    if _next > LAST:\n        _next = 1\n    return number, weight",
    ),
  ],
  [
    "a.go",
    "package a\n\nvar next int = 1\n\nfunc Make() int {\n\tnumber := next\n\tnext++\n\tif next > 3 {\n\t\tnext = 1\n\t}\n\treturn number\n}\n",
  ],
  ["A.java", java("        int number = next++;\n        if (next > 3) next = 1;\n        return number;")],
  [
    "a.rb",
    "class A\n  @@next = 1\n\n  def make\n    number = @@next\n    @@next += 1\n    @@next = 1 if @@next > 3\n    number\n  end\nend\n",
  ],
])("a counter that starts again is the result (%s %#)", async (path, after) => {
  expect(await judge(path, path.endsWith("go") ? "package a\n" : "", after)).toEqual([]);
});

test.each([
  ["another result", "a.js", js("  next++;\n  if (next > 3) return 15;\n  return weight;")],
  ["another value", "a.js", js("  let result = weight;\n  if (next++ > 3) result = 15;\n  return result;")],
  ["a counter that is not returned", "a.js", js("  next++;\n  if (next > 3) next = 1;\n  return weight;")],
  ["an index", "a.js", js("  next++;\n  if (next > 3) next = 1;\n  return [1, 15, weight, 2][next];")],
  ["an operand", "a.js", js("  next++;\n  if (next > 1) next = 0;\n  return weight * 2 + next * 3;")],
  ["an input of a call", "a.js", js("  next++;\n  if (next > 1) next = 0;\n  return pick(next);")],
  [
    "an operand beside the value",
    "a.js",
    js(
      "  const number = next++;\n  if (next > 3) next = 1;\n  return { number, price: weight * 2 + (number - 1) * 5 };",
    ),
  ],
  [
    "an operand in another statement",
    "a.js",
    js(
      "  const number = next++;\n  if (next > 3) next = 1;\n  const price = weight + number;\n  return { number, price };",
    ),
  ],
  [
    "an input in the condition",
    "a.js",
    js("  const number = next++;\n  if (next > weight) next = 1;\n  return number;"),
  ],
  [
    "a further statement",
    "a.js",
    js(
      "  const number = next++;\n  if (next > 3) {\n    next = 1;\n    weight = 7;\n  }\n  return { number, weight };",
    ),
  ],
  [
    "an alternative",
    "a.js",
    js(
      "  const number = next++;\n  if (next > 3) next = 1;\n  else weight = 7;\n  return { number, weight };",
    ),
  ],
  [
    "another return",
    "a.js",
    js(
      "  const number = next++;\n  if (next > 3) next = 1;\n  if (weight === 2) return 15;\n  return number;",
    ),
  ],
  [
    "a changed holder",
    "a.js",
    js("  let number = next++;\n  if (next > 3) next = 1;\n  number = weight * 3;\n  return number;"),
  ],
  ["another result", "a.py", py("    _next += 1\n    if _next > 3:\n        return 15\n    return weight")],
  [
    "an index",
    "a.py",
    py("    _next += 1\n    if _next > 3:\n        _next = 1\n    return [1, 2, 3, weight][_next]"),
  ],
  [
    "another result",
    "A.java",
    java("        next++;\n        if (next > 3) return 15;\n        return weight;"),
  ],
])("%s stays a sign (%s)", async (_, path, after) => {
  expect(await judge(path, "", after)).toHaveLength(1);
});
