import { expect, it } from "vitest";
import { languageOfFixture as languages } from "../../tests/fixture-programs.ts";
import { openSyntaxCheck } from "./syntax-check.ts";

/** The forms of the text with the first `before` replaced by each of `after`. */
async function formsOf(path: string, text: string, before: string, after: readonly string[]) {
  const grammar = languages(path).grammar(path.slice(path.lastIndexOf(".")));
  const check = await openSyntaxCheck(grammar, { path, text });
  const start = text.indexOf(before);
  const forms = after.map((replacement) => check.formOf({ start, end: start + before.length, replacement }));
  check.free();
  return forms;
}

const python = `def f(a, b):\n    if a < b:\n        return a\n    return b\n\n\n${"def g(a):\n    return a\n\n\n".repeat(5)}`;
const go = `package p\n\nfunc f(a, b int) int {\n\tif a < b {\n\t\treturn a\n\t}\n\treturn b\n}\n${"\nfunc g(a int) int {\n\treturn a\n}\n".repeat(5)}`;

it.each([
  ["a.py", python],
  ["a.go", go],
])("tells changes of %s apart by what they mean", async (path, text) => {
  const [spaced, bare, other, same, broken] = await formsOf(path, text, "a < b", [
    "a  <=  b",
    "a<=b",
    "b<=a",
    "a  <  b",
    "a < (",
  ]);
  expect(spaced).toBeDefined();
  expect(spaced).toBe(bare);
  expect(other).not.toBe(bare);
  expect(same).toBeUndefined();
  expect(broken).toBeUndefined();
});

it("tells a changed line from one that also takes the next away", async () => {
  const text = "def f(a):\n    x = a\n    x = 1\n    return x\n";
  const [one] = await formsOf("a.py", text, "x = a\n", ["x = 2\n"]);
  const [both] = await formsOf("a.py", text, "x = a\n    x = 1\n", ["x = 2\n"]);
  expect(one).toBeDefined();
  expect(both).toBeDefined();
  expect(one).not.toBe(both);
});

it("sees an error that only the rest of the file makes one", async () => {
  const [open] = await formsOf("a.go", go, "return b\n}", ["return b\n"]);
  expect(open).toBeUndefined();
});

it("allows errors that the file has elsewhere", async () => {
  const text = "def broken(:\n    pass\n\ndef f(a, b):\n    return a < b\n";
  const [fine, worse] = await formsOf("a.py", text, "a < b", ["a <= b", "a < ("]);
  expect(fine).toBeDefined();
  expect(worse).toBeUndefined();
});
