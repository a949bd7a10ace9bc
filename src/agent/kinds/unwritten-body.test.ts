import { expect, test } from "vitest";
import { findTarget } from "./target.ts";
import { alwaysFails, isUnwritten } from "./unwritten-body.ts";

const files: Readonly<Record<string, string>> = {
  "a.py": `class Cart:
    def total(self):
        """Sum of all."""
        raise NotImplementedError

    def empty(self):
        ...

    def kept(self):
        raise NotImplementedError("rows without prices") if self.rows else None

    def names(self):
        self.seen = True
        return []


def price(row):
    """The price."""
    return row.price
`,
  "a.rs": `fn todo() -> u8 {\n    todo!()\n}\n\nfn one() -> u8 {\n    // of all\n    self::count() + 1\n}\n`,
  "a.js": `export function free(row) {\n  throw new Error("not written");\n}\n\nexport function first(row) {\n  return row[0];\n}\n\nexport function refuse(row) {\n  throw new Error("no row");\n}\n`,
  "a.go": `package a\n\nfunc Free() int {\n\tpanic("not implemented")\n}\n\nfunc First() int {\n\treturn 1\n}\n`,
  "A.java": `class A {\n  int free() {\n    throw new UnsupportedOperationException("TODO");\n  }\n  int first() {\n    return 1;\n  }\n}\n`,
};

test.each([
  ["a.py:Cart.total", true],
  ["a.py:Cart.empty", true],
  ["a.py:Cart.names", false],
  ["a.py:price", false],
  ["a.rs:todo", true],
  ["a.rs:one", false],
  ["a.js:free", true],
  ["a.js:first", false],
  ["a.js:refuse", false],
  ["a.go:Free", true],
  ["a.go:First", false],
  ["A.java:free", true],
  ["A.java:first", false],
  ["a.py:Cart", undefined],
])("%s: the body is not written: %s", async (target, expected) => {
  const found = await findTarget(target, async (path) => files[path]);
  expect(found.ok && (await isUnwritten(found.value))).toBe(expected);
});

test.each([
  ["a.py:Cart.total", true],
  ["a.py:Cart.empty", false],
  ["a.py:price", false],
  ["a.rs:todo", true],
  ["a.go:Free", true],
  ["a.js:refuse", false],
])("%s: the placeholder fails in every call: %s", async (target, expected) => {
  const found = await findTarget(target, async (path) => files[path]);
  expect(found.ok && (await alwaysFails(found.value))).toBe(expected);
});
