import { expect, test } from "vitest";
import { numbersOf, patchesOfSet, published } from "./numbers.ts";
import { renderTree } from "./render-tree.ts";

test("without a number the published ones hold, and 40 samples are the same", () => {
  expect(numbersOf(undefined)).toBe(published);
  expect(numbersOf(40)).toEqual(published);
});

test.each([1, 2, 3, 4, 7, 16, 50])("%i samples are so many patches, over at most four sets", (samples) => {
  const numbers = numbersOf(samples);
  const counts = Array.from({ length: numbers.locations }, (_, index) =>
    patchesOfSet(numbers, numbers.locations, index),
  );
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(samples);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(numbers.locations).toBeLessThanOrEqual(4);
});

test("a tree names each folder once, its own files before its folders", () => {
  const paths = ["src/shop/cart.py", "src/a/b.py", "setup.py", "src/shop/item.py", "src/main.py"];
  expect(renderTree(paths)).toBe(
    ["setup.py", "src/", "  main.py", "  a/", "    b.py", "  shop/", "    cart.py", "    item.py"].join("\n"),
  );
});

test("a tree that is too long is cut, and says how much of it", () => {
  const paths = Array.from({ length: 9_000 }, (_, index) => `folder/some_module_${index}.py`);
  const text = renderTree(paths);
  const shown = text.split("\n").filter((line) => line.endsWith(".py")).length;
  expect(text).toContain(`(${9_000 - shown} more files are not shown)`);
  expect(text.length).toBeLessThan(81_000);
});
