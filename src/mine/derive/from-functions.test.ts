import { expect, test } from "vitest";
import { isExample, refusePartial, repocodName } from "./from-functions.ts";

const zone = { name: "zone", path: "tests zone", startLine: 1, endLine: 2 };

test.each([
  ["src/lib.rs", "parse::tests::zone", [], false],
  ["doc:src/lib.rs", "src/lib.rs - parse (line 3)", undefined, true],
  ["shop/cart.py", "shop.cart.total", [], true],
  ["shop/cart.py", "zone", [zone], false],
  ["tests/test_cart.py", "test_cart", undefined, false],
  ["README.rst", "README.rst", undefined, true],
] as const)("tells examples of the documentation from tests: %s %s", (target, name, bodies, is) => {
  expect(isExample({ package: "", target, name }, bodies)).toBe(is);
});

test("a repository in a group gets a name from which REPOCOD makes a valid id", () => {
  expect(["acme/shop", "group/sub/shop", "shop"].map(repocodName)).toEqual([
    ...["acme/shop", "group/sub__shop", "shop"],
  ]);
});

test("refuses coverage that a limit cut off, or that is empty", () => {
  const tests = { "a.py::test_a": { "shop.py": [1] } };
  expect(() => refusePartial({ tests })).not.toThrow();
  expect(() => refusePartial({ tests, because: "the run reached the limit" })).toThrow(
    "The lines that the tests execute are unknown: the run reached the limit",
  );
  expect(() => refusePartial({ tests: {} })).toThrow("the run with coverage reported none");
});
