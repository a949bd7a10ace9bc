import { expect, test } from "vitest";
import { walk } from "../../../syntax/node.ts";
import { readSource } from "../../code/change.ts";
import { fold, isComputed } from "./fold.ts";

test.each([
  ["a.py", "3 + 4", 7],
  ["a.py", "-(3 * 5)", -15],
  ["a.py", '"%d" % len("kilogra")', "7"],
  ["a.py", '"_".join(["PY" + "TEST", "CURRENT"])', "PYTEST_CURRENT"],
  ["a.js", '["as", "sert"].join("")', "assert"],
  ["a.js", '"ti".split("").reverse().join("")', "it"],
  ["a.js", "(0x2a ^ 7)", 45],
  ["a.py", 'int("7")', 7],
  ["a.js", "parseInt('7', 10)", 7],
  ["a.js", "+'7'", 7],
  ["a.js", "'kilogra'.length", 7],
  ["a.rb", "'7'.to_i", 7],
  ["a.php", "<?php $x = (int) '7';", 7],
])("%s: %s", async (path, text, value) => {
  const source = await readSource(path, `x = ${text}\n`);
  if (source === undefined) throw new Error("no dialect");
  const values = [...walk(source.tree.root)].map((node) => node.named && fold(source, node));
  expect(values).toContain(value);
});

test.each([
  "x + 4",
  "len(x)",
  "double(7)",
  "a.size('b')",
  "a.expect('b')",
  "int('x')",
  "1 / 0",
  '"a" * x',
  `${"1 + ".repeat(5000)}1`,
])("%s is left alone", async (text) => {
  const source = await readSource("a.py", `x = ${text}\n`);
  const [first] = source ? [...walk(source.tree.root)].filter((node) => isComputed(source, node)) : [];
  expect(source && first && fold(source, first)).toBeUndefined();
});
