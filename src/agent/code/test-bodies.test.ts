import { expect, test } from "vitest";
import { selectWithTests } from "./test-bodies.ts";

test("a file of helpers with a test's name contains no test", async () => {
  const files: Readonly<Record<string, string>> = {
    "tests/test_utils.py": "def make_cart(*items):\n    return list(items)\n",
    "tests/test_cart.py":
      "from test_utils import make_cart\n\n\ndef test_cart():\n    assert make_cart(1) == [1]\n",
    "tests/helpers.test.js": "export const make = (...items) => items;\n",
    "tests/cart.test.js": 'test("cart", () => {\n  expect(1).toBe(1);\n});\n',
  };
  const read = async (_: string, path: string) => Buffer.from(files[path] ?? "");
  expect(await selectWithTests({ read }, "tree", Object.keys(files))).toEqual([
    "tests/test_cart.py",
    "tests/cart.test.js",
  ]);
});
