import { expect, test } from "vitest";
import { mirrorScore } from "./mirrored-tests.ts";

test.each([
  ["lib/adapters/http.js", "test/unit/adapters/http.js", 2],
  ["lib/adapters/http.js", "test/specs/http.spec.js", 1],
  ["src/x/y.py", "tests/x/test_y.py", 2],
  ["foo.go", "foo_test.go", 1],
  ["src/main/java/org/shop/Cart.java", "src/test/java/org/shop/CartTest.java", 3],
  ["src/cart.ts", "src/__tests__/cart.test.ts", 1],
  ["lib/core/index.js", "test/core/index.test.js", 2],
  ["lib/core/index.js", "test/other/index.test.js", 0],
  ["src/x/y.py", "tests/x/test_z.py", 0],
])("%s and %s", (source, other, score) => {
  expect(mirrorScore(source, other)).toBe(score);
});
