import { expect, test } from "vitest";
import { addIdleCode } from "./idle-code.ts";

test("adds statements to functions only, after documentation and before each statement", async () => {
  const python = [
    ...["#!/usr/bin/env python3", '"""Fees."""', "from math import floor", "", "def fee(price):"],
    ...['    """The fee."""', "    if price < 0:", "        return 0", "    return floor(price)"],
  ];
  expect((await addIdleCode("fee.py", python.join("\n")))?.split("\n")).toEqual([
    ...["#!/usr/bin/env python3", '"""Fees."""', "from math import floor", "", "def fee(price):"],
    ...['    """The fee."""', "    [None]", "    if price < 0:"],
    ...["        [None]", "        return 0", "    [None]", "    return floor(price)"],
  ]);
  expect(await addIdleCode("fee.py", "FEE = 1\n")).toBeUndefined();
  expect(await addIdleCode("fee.txt", "1\n")).toBeUndefined();
});

test.each([
  ["fee.go", "package fee\n\nfunc Fee(a int) int {\n\tif a < 0 {\n\t\treturn 0\n\t}\n\treturn a\n}\n", 3],
  ["fee.js", "function fee(a) {\n  'use strict';\n  if (a < 0) {\n    return 0;\n  }\n  return a;\n}\n", 3],
  ["fee.js", "function fee(a) {\n  if (a < 0)\n    return 0;\n  return a;\n}\n", 2],
  [
    "fee.rs",
    "fn fee(a: i8) -> i8 {\n    #[cfg(x)]\n    let a = 1;\n    if a < 0 {\n        return 0;\n    }\n    a\n}\n",
    3,
  ],
  ["Fee.java", "class Fee extends Cost {\n  Fee(int a) {\n    super(a);\n    b = a;\n  }\n}\n", 1],
  ["fee.rb", "def fee(a)\n  return 0 if a < 0\n  a\nend\n", 2],
  // What stands before `rescue` is the method's value.
  ["fee.rb", "def fee(a)\n  Integer(a)\nrescue ArgumentError\n  0\nensure\n  count\nend\n", 3],
  ["fee.py", 'def fee(a):\n    r"""A fee, \\d."""\n    return a\n', 1],
])("adds statements to %s where the language allows them", async (path, text, count) => {
  const longer = (await addIdleCode(path, text)) ?? "";
  expect(longer.split("\n").length - text.split("\n").length, longer).toBe(count);
});

test("changes no text that the code contains", async () => {
  const inner = "$".concat("{a ? 1 : 2}\n`");
  const script = `export function tag(a) {\n  return \`\n${inner};\n}\n`;
  expect(await addIdleCode("tag.js", script)).toBe(script.replace("  return", "  void 0;\n  return"));
});
