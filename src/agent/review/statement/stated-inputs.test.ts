import { expect, test } from "vitest";
import { findUnshownInputs } from "./stated-inputs.ts";

const unshown = (statement: string, tests: string) =>
  findUnshownInputs(statement, tests).map(({ text }) => text);

/** A requirement, tests without such an input, and tests with one. */
const cases: Readonly<Record<string, readonly [string, string, string]>> = {
  "an empty input": [
    "Empty fields are fields, too, also at the end of a line.",
    `assert fields('x,"say ""hi"""') == ["x", 'say "hi"']`,
    'assert fields("a,,b") == ["a", "", "b"]',
  ],
  "a negative number": [
    "The same goes for refunds, which are negative amounts.",
    "assert.deepEqual(split(100 - 1, 3), [33, 33, 33]);",
    "assert.deepEqual(split(-100, 3), [-34, -33, -33]);",
  ],
  zero: [
    "It must return nothing if the rate is zero.",
    "assert total(12, 3) == 4",
    "assert total(12, 0) == 12",
  ],
  "three or more levels": [
    "Options have to be merged at every level.",
    "assert.deepEqual(merge({ a: { b: 1 } }, { a: { c: 2 } }), { a: { b: 1, c: 2 } });",
    "assert.deepEqual(merge({ a: { b: { c: 1 } } }, {}), { a: { b: { c: 1 } } });",
  ],
  "other upper and lower case": [
    "The words yes and on (in any case) must mean on.",
    'assert is_on("yes")',
    'assert is_on("yes") and is_on("YES")',
  ],
  "an absolute path": [
    "Names that leave the folder must be refused (parent folders, absolute paths).",
    'with pytest.raises(ValueError):\n    store.read("../secret.txt")',
    'with pytest.raises(ValueError):\n    store.read("/etc/passwd")',
  ],
  "a part at the edge": [
    "No part may have leading zeros.",
    'assert not is_ipv4("300.1.1.1")',
    'assert not is_ipv4("01.1.1.1")',
  ],
  "an input that stays unchanged": [
    "Neither argument may change.",
    "assert.deepEqual(merge({ a: 1 }, { b: 3 }), { a: 1, b: 3 });",
    "const one = { a: 1 };\nmerge(one, { b: 3 });\nassert.deepEqual(one, { a: 1 });",
  ],
  "an input that is an error": [
    "A missing value is an error as before.",
    'assert render("{{name}}", {"name": "Bo"}) == "Bo"',
    'with pytest.raises(KeyError):\n    render("{{name}}", {})',
  ],
  "a leap year": [
    "It has to renew on the last day of the month, also in leap years.",
    "assert add_months(date(2023, 1, 31), 1) == date(2023, 2, 28)",
    "assert add_months(date(2024, 1, 31), 1) == date(2024, 2, 29)",
  ],
  "an input of this length": [
    "This has to work for cards with 15 digits as well.",
    'assert is_valid("4539 5787 6362 1486")',
    'assert is_valid("3782 822463 10005")',
  ],
};

test.each(Object.entries(cases))(
  "%s that a requirement names is an open case until a test has one",
  (name, each) => {
    const [statement, without, with_] = each;
    expect(unshown(statement, without)).toEqual([`${name}: ${statement}`]);
    expect(unshown(statement, `${without}\n${with_}`)).toEqual([]);
  },
);

test("sentences that demand nothing name no case, and neither do code, quotations and questions", () => {
  const tests = "assert total(12, 3) == 4";
  for (const statement of [
    "The price of an empty list is wrong.",
    "Should an empty list be allowed?",
    "```\nmust accept an empty list\n```",
    "> It must accept an empty list.",
    "To reproduce, the input must be an empty list.",
  ])
    expect(unshown(statement, tests)).toEqual([]);
});

test("without code of tests, or with very much of it, nothing is said", () => {
  const [statement] = cases["a leap year"] ?? [""];
  expect(unshown(statement, "")).toEqual([]);
  expect(unshown(statement, "a = 1\n".repeat(40_000))).toEqual([]);
});

test("very many open brackets are read once each", () => {
  const deep = `text = "${"{".repeat(100_000)}"`;
  expect(unshown("Options have to be merged at every level.", deep)).toEqual([]);
  const [statement, without] = cases["three or more levels"] ?? ["", ""];
  expect(unshown(statement, `f({ a: { b: 1 } }); }\n${without}`)).toHaveLength(1);
});

test("an input that a requirement demands is certain; a described mapping, a type or a plan is not", () => {
  const tests = "assert.equal(total({ a: 1 }, 3), 4);";
  const certain = (statement: string) =>
    findUnshownInputs(statement, tests).map(({ isCertain }) => isCertain);
  expect(certain("Empty fields are fields, too, also at the end of a line.")).toEqual([true]);
  expect(certain("The words yes and on (in any case) must mean on.")).toEqual([true]);
  expect(certain("The headers are a case-insensitive mapping, and this should work with them.")).toEqual([
    false,
  ]);
  expect(certain("If data is zero type, it should set the zero value.")).toEqual([]);
  expect(certain("It should be extensible in case we later support leading zeros.")).toEqual([]);
});
