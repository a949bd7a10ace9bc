import { expect, test } from "vitest";
import { describeLayout } from "./layout.ts";

test("a repository is told by its top folders, the largest first, with what they hold", () => {
  const paths = [
    "README.md",
    "setup.py",
    ".github/ci.yml",
    "shop/cart.py",
    "shop/rates.py",
    "shop/notes.md",
    "tests/test_cart.py",
  ];
  expect(describeLayout(paths)).toBe(
    "Layout: shop/ (sources in python: 2, documents: 1); tests/ (tests: 1).",
  );
  expect(describeLayout(["a.py"])).toBe("");
});
