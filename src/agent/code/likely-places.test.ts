import { expect, test } from "vitest";
import { isNamed } from "./likely-places.ts";

const definitions = [
  { name: "isByteLength", startLine: 4, endLine: 17 },
  { name: "walk", startLine: 20, endLine: 30 },
];

test.each<[string, string, number, boolean]>([
  ["a name in a word's form of code", "isByteLength throws on some strings", 6, true],
  ["a quoted name", "`tree.walk` never ends", 21, true],
  ["a call", "walk() never ends", 21, true],
  ["a common word", "I walk through the tree", 21, false],
  ["the name of another definition", "isByteLength throws", 21, false],
])("the likeliest place is certain or not by %s", (_, statement, startLine, expected) => {
  expect(isNamed({ startLine, endLine: startLine + 2 }, statement, definitions)).toBe(expected);
});
