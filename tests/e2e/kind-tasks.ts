/** A task of each kind that asks for something else than a repair, on a fixture repository, with what a right answer is made of. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Playground } from "./millwright.ts";

export interface KindTask {
  readonly kind: string;
  readonly statement: string;
  readonly args: readonly string[];
  prepare(playground: Playground): string;
  /** Texts that replace others, in files; an empty `before` makes the file. In the order of what is delivered. */
  readonly answer: readonly { readonly path: string; readonly before: string; readonly after: string }[];
  readonly delivered: readonly string[];
}

export function takeFailingTestsAway(repository: string): void {
  const tests = join(repository, "tests", "test_transfer.py");
  const text = readFileSync(tests, "utf8");
  writeFileSync(tests, text.replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
}

export const wholeTest =
  'import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n    def test_pays_the_whole_balance(self):\n        Account("rent", 5).withdraw(5)';

export const kindTasks: readonly KindTask[] = [
  {
    kind: "regression-test",
    statement: "Emptying an account by `withdraw` raises InsufficientFunds, though it can pay",
    args: [],
    prepare(playground) {
      const repository = playground.copyRepository("repair-python");
      takeFailingTestsAway(repository);
      return repository;
    },
    answer: [{ path: "tests/test_whole.py", before: "", after: wholeTest }],
    delivered: ["tests/test_whole.py"],
  },
  {
    kind: "test-generation",
    statement: "",
    args: ["--target", "src/row.js:findBlock"],
    prepare: (playground) => playground.copyRepository("repair-javascript"),
    answer: [
      {
        path: "test/block.test.js",
        before: "",
        after: `import assert from "node:assert/strict";
import { it } from "node:test";
import { findBlock } from "../src/row.js";

it("finds a block", () => {
  assert.equal(findBlock({ seats: 4, taken: [] }, 2), 2);
});
it("finds none where there is none", () => {
  assert.equal(findBlock({ seats: 2, taken: [1] }, 2), undefined);
});`,
      },
    ],
    delivered: ["test/block.test.js"],
  },
  {
    kind: "code-generation",
    statement: "Write the body of `findBlock`: the first seat of so many free ones side by side",
    args: ["--target", "src/row.js:findBlock"],
    prepare(playground) {
      const repository = playground.copyRepository("repair-javascript");
      const file = join(repository, "src", "row.js");
      const whole = / {2}let free = 0;\n[\s\S]*?return undefined;\n/;
      writeFileSync(file, readFileSync(file, "utf8").replace(whole, '  throw new Error("not written");\n'));
      return repository;
    },
    answer: [
      {
        path: "src/row.js",
        before: '  throw new Error("not written");',
        after:
          "  let free = 0;\n  for (const seat of seatsOf(row)) {\n    free = isFree(row, seat) ? free + 1 : 0;\n    if (free >= size) return seat - size + 1;\n  }\n  return undefined;",
      },
    ],
    delivered: ["src/row.js"],
  },
  {
    kind: "feature",
    statement: "`Account.close` pays out the balance",
    args: [],
    prepare: (playground) => playground.copyRepository("repair-python"),
    answer: [
      {
        path: "ledger/account.py",
        before: "        self.balance = self.balance - amount",
        after:
          "        self.balance = self.balance - amount\n\n    def close(self):\n        rest, self.balance = self.balance, 0\n        return rest",
      },
      {
        path: "tests/test_close.py",
        before: "",
        after:
          'import unittest\n\nfrom ledger.account import Account\n\n\nclass CloseTest(unittest.TestCase):\n    def test_pays_out(self):\n        self.assertEqual(Account("rent", 5).close(), 5)',
      },
    ],
    delivered: ["ledger/account.py", "tests/test_close.py"],
  },
];
