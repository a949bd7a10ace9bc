import { expect, test } from "vitest";
import type { TestKey } from "../../domain/test-outcome.ts";
import { testsConcerned } from "./touched-tests.ts";

const key = (target: string, name: string): TestKey => ({ package: "", target, name });

test.each<[string, TestKey[], string[], string[], string[]]>([
  [
    "those of the file",
    [key("tests/test_a.py", "a"), key("tests/test_b.py", "b")],
    ["tests/test_a.py"],
    ["tests/test_a.py", "tests/test_b.py"],
    ["a"],
  ],
  [
    "those of the class that stands in it",
    [key("org.shop.CartTest$Inner", "a"), key("org.shop.TotalTest", "b")],
    ["core/src/test/java/org/shop/CartTest.java"],
    ["core/src/test/java/org/shop/CartTest.java"],
    ["a"],
  ],
  [
    "all, of data that some of them read",
    [key("tests/test_a.py", "a"), key("tests/test_b.py", "b")],
    ["tests/data/cases.json"],
    ["tests/test_a.py", "tests/test_b.py", "tests/data/cases.json"],
    ["a", "b"],
  ],
  [
    "all, where a command tells no file",
    [key("command", "ok 1"), key("command", "ok 2")],
    ["check.sh"],
    ["check.sh"],
    ["ok 1", "ok 2"],
  ],
  [
    "those of a snapshot's own file",
    [key("src/cart.test.ts", "a"), key("src/total.test.ts", "b")],
    ["src/__snapshots__/cart.test.ts.snap"],
    ["src/cart.test.ts", "src/total.test.ts", "src/__snapshots__/cart.test.ts.snap"],
    ["a"],
  ],
  [
    "unit tests of a crate and the examples of the file, in Rust",
    [
      key("src/lib.rs", "tests::a"),
      key("tests/b.rs", "b"),
      key("doc:src/lib.rs", "src/cart.rs - total"),
      key("doc:src/lib.rs", "src/lib.rs - packs"),
    ],
    ["src/cart.rs"],
    ["src/lib.rs", "src/cart.rs", "tests/b.rs"],
    ["tests::a", "src/cart.rs - total"],
  ],
])("a change of tests concerns %s", (_, keys, changed, files, names) => {
  expect(testsConcerned(keys, changed, files).map(({ name }) => name)).toEqual(names);
});
