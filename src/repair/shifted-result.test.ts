import { expect, test } from "vitest";
import { addsToResult, losesInput } from "./shifted-result.ts";

function adds(file: string, text: string, before: string, after: string): boolean {
  const start = text.indexOf(before);
  return addsToResult(file, text, { start, end: start + before.length, replacement: after });
}
const go =
  "package shop\n\n// Pages is how many pages all items need.\nfunc Pages(items, size int) int {\n\treturn items / size\n}\n";
const rust =
  "/// How many pages all items need.\npub fn pages(items: u32, size: u32) -> u32 {\n    items / size\n}\n";
const java =
  "class Shop {\n    static int pages(int items, int size) {\n        return (int) (items / size);\n    }\n}\n";

test.each([
  ["pages.go", go, "items / size", "(items + size) / size"],
  ["pages.go", go, "items / size", "items / size + 1"],
  ["pages.go", go, "items / size", "int(items / size) - -1"],
  ["src/lib.rs", rust, "items / size", "(items + size) / size"],
  ["src/lib.rs", rust, "items / size", "1 + items as u32 / size"],
  ["Shop.java", java, "items / size", "(items + size) / size"],
  ["Shop.java", java, "(int) (items / size)", "(int) (items / size) + 2"],
])("in %s, another expression for the old result and a number", (file, text, before, after) => {
  expect(adds(file, text, before, after)).toBe(true);
});

test.each([
  ["rounds up", "pages.go", go, "items / size", "(items + size - 1) / size"],
  ["adds what is left", "pages.go", go, "items / size", "items / size + items % size"],
  ["is another product", "pages.go", go, "items / size", "items / size * 2"],
  ["is the same", "pages.go", go, "items / size", "(items) / size"],
  ["calls a function", "pages.go", go, "items / size", "ceil(items, size)"],
  ["rounds up", "src/lib.rs", rust, "items / size", "items.div_ceil(size)"],
  ["rounds up", "Shop.java", java, "items / size", "(items + size - 1) / size"],
  [
    "is one of two results",
    "fee.go",
    "package shop\n\nfunc Fee(weight int) int {\n\tif weight <= 2 {\n\t\treturn 0\n\t}\n\treturn weight - 2\n}\n",
    "weight - 2",
    "weight - 1",
  ],
  [
    "is in a language that compares by calls",
    "pages.py",
    "def pages(a, b):\n    return a // b\n",
    "a // b",
    "a // b + 1",
  ],
])("an expression that %s adds no number to every result (%s)", (_name, file, text, before, after) => {
  expect(adds(file, text, before, after)).toBe(false);
});

test.each([
  ["    return 2**attempt\n", "2", "1", true],
  ["    return Math.pow(2, attempt);\n", "2", "1", true],
  ["    return 3 * weight\n", "3", "0", true],
  ["    return weight * 2;\n", "2", "0", true],
  ["    return weight * 2;\n", "2", "3", false],
  ["    return weight * 2;\n", "2", "0.5", false],
  ["    return 2**attempt\n", "2", "0", true],
  ["    return item % size\n", "size", "1", true],
  ["    return (items - size)\n", "size", "items", true],
  ["    return rate * items - size\n", "size", "items", false],
  ["    return attempt**2\n", "2", "1", false],
  ["    return 1**attempt + 2\n", "+ 2", "+ 3", false],
])("an expression that has one value whatever its variables are: %s, %s to %s", (text, from, to, isLost) => {
  const start = text.indexOf(from);
  expect(losesInput(text, { start, end: start + from.length, replacement: to })).toBe(isLost);
});
