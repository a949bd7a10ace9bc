import { expect, test } from "vitest";
import { assertsFault } from "./asserts-fault.ts";

const isProduct = (name: string): boolean => ["packs", "price", "withdraw"].includes(name);
const begun = "`packs(13)` returns 2, so the last piece is left. It has to return 3: a begun pack counts.";
const shown = (line: string, failure: string) => ({ line, behind: "", failure });
const shows = [shown("self.assertEqual(packs(13), 3)", "AssertionError: 2 != 3")];

test.each([
  ["self.assertEqual(packs(13), 2)", "3 != 2", true],
  ["assert_eq!(packs(13), 2);", "left: 3 right: 2", true],
  [">>> packs(13)", "expected 2, got 3", true],
  // A different input, which nobody called wrong.
  ["self.assertEqual(packs(12), 2)", "3 != 2", false],
  // What the statement asks for.
  ["self.assertEqual(packs(13), 3)", "2 != 3", false],
  ["self.assertEqual(boxes(13), 2)", "3 != 2", false],
])("%s", (line, failure, holds) => {
  expect(assertsFault(begun, shown(line, failure), shows, isProduct).holds).toBe(holds);
});

test("what the statement calls right is not taken for wrong, nor an input that it does not name", () => {
  const statement =
    '`price("guest")` is 20 and that is right; `price("member")` is 20 too, and should be 15.';
  const targets = [
    shown('assert price("member") == 15', "assert 20 == 15"),
    shown('assert price("guest") == 15', "assert 20 == 15"),
  ];
  const guest = shown('assert price("guest") == 20', "assert 15 == 20");
  expect(assertsFault(statement, guest, targets, isProduct).holds).toBe(false);
  const refused = "Emptying an account of 5 by `withdraw(5)` raises InsufficientFunds.";
  const more = shown("with self.assertRaises(InsufficientFundsError): withdraw(6)", "not raised");
  expect(assertsFault(refused, more, [], isProduct).holds).toBe(false);
});

test("lines behind the assertion have its inputs", () => {
  const other = { line: "self.assertEqual(packs(pieces), 2)", behind: "pieces = 12", failure: "3 != 2" };
  const same = { ...other, behind: "pieces = 13" };
  expect([other, same].map((each) => assertsFault(begun, each, shows, isProduct).holds)).toEqual([
    false,
    true,
  ]);
});
