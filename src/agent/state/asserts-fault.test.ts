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

const demands = "`packs(-1)` gives 0. It must raise `ValueError`, and `packs(0)` stays as it is.";
const raises = [
  shown("with self.assertRaises(ValueError): packs(-1)", "AssertionError: ValueError not raised"),
];

test.each([
  [
    "the demanded error for the demanded input",
    "self.assertEqual(packs(-1), 0)",
    "ValueError: negative",
    true,
  ],
  ["another error", "self.assertEqual(packs(-1), 0)", "TypeError: negative", false],
  ["a wrong result", "self.assertEqual(packs(-1), 0)", "AssertionError: 1 != 0", false],
  ["an input that no test of the fault has", "self.assertEqual(packs(0), 0)", "ValueError: negative", false],
  [
    "an input that the statement does not contain",
    "self.assertEqual(packs(-2), 0)",
    "ValueError: negative",
    false,
  ],
  ["another function", "self.assertEqual(boxes(-1), 0)", "ValueError: negative", false],
  ["an input with another sign", "self.assertEqual(packs(1), 0)", "ValueError: negative", false],
  ["another object", "self.assertEqual(self.shop.packs(-1), 0)", "ValueError: negative", false],
  ["a variable", "self.assertEqual(packs(pieces), 0)", "ValueError: negative", false],
])("of a demanded error: %s", (_, line, failure, holds) => {
  expect(assertsFault(demands, shown(line, failure), raises, isProduct).holds).toBe(holds);
});

test("an error that the statement only mentions, or that no test of the fault names, excludes no test", () => {
  const test = shown("assert packs(-1) == 0", "ValueError: negative");
  for (const mentioned of [
    "`packs(-1)` raises ValueError since 1.2.",
    "`packs(-1)` must not raise ValueError.",
    "`packs(-1)` should return 0 but raises ValueError.",
    "`packs(-1)` raises ValueError but should be 0.",
    "Instead of ValueError, `packs(-1)` should return 0.",
    "`packs(-1)` works and `packs(-5)` must raise ValueError.",
    "`packs(-1)` works. `packs(-5)` must raise ValueError.",
  ])
    expect(assertsFault(mentioned, test, raises, isProduct).holds, mentioned).toBe(false);
  const other = [shown("self.assertEqual(packs(-1), 3)", "AssertionError: 4 != 3")];
  expect(assertsFault(demands, test, other, isProduct).holds).toBe(false);
  const behind = { ...test, behind: "limit = set_limit(9)" };
  expect(assertsFault(demands, behind, raises, isProduct).holds).toBe(false);
});

test("a demanded message, of a member", () => {
  const statement = "`shop.packs('')` must be rejected with an `Invalid count` error.";
  const test = shown("const n = await shop.packs('');", 'TypeError: Invalid count: ""');
  const own = [shown("expect(() => shop.packs(\"\")).toThrow('Invalid count')", "did not throw")];
  expect(assertsFault(statement, test, own, isProduct)).toMatchObject({ holds: true, isByError: true });
});

test("a reason quotes the values that the statement lacks, and compares white space loosely", () => {
  const reasonOf = (statement: string, line: string): string =>
    assertsFault(statement, shown(line, ""), [], isProduct).evidence;
  const statement = "`packs` of\nCoffee beans\n  aroma\nis wrong.";
  expect(reasonOf(statement, 'assert packs("Coffee beans aroma") == "Dessert"')).toBe(
    'the statement does not contain "Dessert"',
  );
  expect(reasonOf(statement, String.raw`assert packs("", "# lead\nfoo") == "Coffee\nbeans"`)).toBe(
    'the statement does not contain "# lead foo"',
  );
  expect(reasonOf(statement, 'assert packs("") == "Coffee beans"')).toBe(
    "the statement does not contain an empty text",
  );
});
