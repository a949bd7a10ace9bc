import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { judgeCareless } from "./careless.ts";

const fees = "def fee(weight):\n    return weight * 3\n";
const needs = fees.replace("weight):", "weight, country):");

async function judge(
  [path, before, after]: readonly [string, string, string],
  others: Readonly<Record<string, string>>,
  more: readonly (readonly [string, string, string])[] = [],
): Promise<string[]> {
  const files = [[path, before, after] as const, ...more].map((each) => compareTexts(...each));
  const all: Record<string, string> = { [path]: before, ...others };
  const base = { list: async () => Object.keys(all), read: async (each: string) => all[each] };
  return (await judgeCareless(files, base, "it is wrong")).map(({ text }) => text);
}

test.each([
  ["from fees import fee\n\nx = fee(3)\n", 1],
  ["from .fees import (\n    other,\n    fee,\n)\n\nx = fee(3)\n", 1],
  ["import fees\n\nx = fees.fee(3)\n", 1],
  ["from fees import fee\n\nx = fee(3, country=None)\n", 0],
  ["from fees import fee\n\nx = fee(*all)\n", 0],
  ["def fee(weight):\n    return 1\n\n\nx = fee(3)\n", 0],
  ["# fee(3)\nimport fees\n", 0],
])("a caller of a function that requires one more argument: %j", async (caller, count) => {
  expect(await judge(["fees.py", fees, needs], { "invoice.py": caller })).toHaveLength(count);
});

test("an optional argument leaves callers as they are, and so does a caller that the patch changes", async () => {
  const caller = "from fees import fee\n\nx = fee(3)\n";
  const optional = fees.replace("weight):", 'weight, country="DE"):');
  expect(await judge(["fees.py", fees, optional], { "invoice.py": caller })).toEqual([]);
  const changed = ["invoice.py", caller, caller.replace("fee(3)", 'fee(3, "FR")')] as const;
  expect(await judge(["fees.py", fees, needs], { "invoice.py": caller }, [changed])).toEqual([]);
});

test.each([
  [
    "texts.py",
    "def words(text):\n    return text\n",
    "def split(text):\n    return text\n",
    "count.py",
    "from texts import words\n",
    1,
  ],
  [
    "texts.py",
    "def words(text):\n    return text\n",
    "from other import words\n",
    "count.py",
    "from texts import words\n",
    0,
  ],
  [
    "texts.py",
    "def words(text):\n    return text\n",
    "def split(text):\n    return text\n",
    "count.py",
    "from others import words\n",
    0,
  ],
  [
    "lib/a.js",
    "export function f() {}\n",
    "export function g() {}\n",
    "b.js",
    'import { f } from "./lib/a.js";\n',
    1,
  ],
  [
    "lib/a.js",
    "function f() {}\nmodule.exports = { f };\n",
    "function g() {}\nmodule.exports = { g };\n",
    "b.js",
    'const { f } = require("./lib/a");\n',
    1,
  ],
  [
    "lib/a.js",
    "export function f() {}\n",
    "export function g() {}\n",
    "b.js",
    'import { f } from "./c.js";\n',
    0,
  ],
])("%s loses a name that another file imports", async (path, before, after, other, text, count) => {
  expect(await judge([path, before, after], { [other]: text })).toHaveLength(count);
});

test("an import may mean another file of the same name", async () => {
  const others = { "old/fees.py": fees, "invoice.py": "from old.fees import fee\n\nx = fee(3)\n" };
  expect(await judge(["fees.py", fees, needs], others)).toEqual([]);
});

test("tests are no callers", async () => {
  const caller = "from fees import fee\n\n\ndef test_fee():\n    assert fee(3) == 9\n";
  expect(await judge(["fees.py", fees, needs], { "tests/test_fees.py": caller })).toEqual([]);
});
