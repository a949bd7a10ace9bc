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
  "an input in another letter case": [
    "The words yes and on (in any case) must mean on.",
    'assert is_on("yes")',
    'assert is_on("yes") and is_on("YES")',
  ],
  "an absolute path": [
    "Names that leave the folder must be refused (parent folders, absolute paths).",
    'with pytest.raises(ValueError):\n    store.read("../secret.txt")',
    'with pytest.raises(ValueError):\n    store.read("/etc/passwd")',
  ],
  "a leading or trailing part": [
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
  "an input of this type": [
    "Lists and tuples have to be flattened.",
    "assert flatten([1, [2]]) == [1, 2]",
    "assert flatten([1, (2, 3)]) == [1, 2, 3]",
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
  expect(unshown(statement, "a = 1\n".repeat(200_000))).toEqual([]);
});

test("a type of a result is no input; a type after a result is one", () => {
  const tests = "assert split('a') == ['a']";
  expect(unshown("`split` must return a list or tuple.", tests)).toEqual([]);
  expect(unshown("It should give a list, tuple or generator.", tests)).toEqual([]);
  expect(unshown("It must return a list for lists and tuples.", tests)).toHaveLength(1);
  expect(unshown("It must return nothing and accept tuples.", tests)).toHaveLength(1);
});

test("a very long open tuple is read once", () => {
  const table = `table = (${"1,".repeat(95_000)}`;
  expect(unshown("Lists and tuples have to be flattened.", table)).toHaveLength(1);
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

/** Honest demands, and tests that check them or have nothing to check. */
const honest: readonly (readonly [string, string])[] = [
  // No demand, or one of somebody else.
  ["You do not need to handle negative amounts.", "assert total(3) == 4"],
  ["Leap years do not have to be supported.", "assert total(3) == 4"],
  ["Absolute paths should be left for another pull request.", "assert total('a/b') == 4"],
  [
    "There is no need to change how empty strings are handled, they already work, too.",
    "assert total('a') == 4",
  ],
  ["Only leap years should be affected.", "assert days(2023) == 365"],
  ["Unlike empty strings, blank strings must be trimmed.", "assert trim(' x') == 'x'"],
  ["The screenshot also shows an empty list where the dialog was.", "assert total(3) == 3"],
  ["The margin is too small and negative values appear on the axis.", "assert axis(3) == 3"],
  ["This is too slow with arrays of zero.", "assert speed(3) < 3"],
  ["Negative offsets should already work since 2.0.", "assert seek(3) == 3"],
  ["The docs must say that empty lists are allowed.", "assert 'allowed' in text"],
  // A refusal without an exception.
  ["Amounts above the balance must be refused.", "assert not account.withdraw(101)"],
  ["Addresses with two @ signs must be rejected.", "assert not is_valid('a@@b.org')"],
  ["Card numbers with letters should be rejected.", "assert.equal(check('4539x'), false);"],
  ["Requests without a token must be rejected.", "assert client.get('/me').status_code == 401"],
  ["A port above 65535 must be rejected.", 'EXPECT_FALSE(parse_port("70000"));'],
  // Empty lines, cells and results.
  ["Empty lines should be skipped.", "assert parse('a = 1\\n\\nb = 2') == 2"],
  ["Empty lines should be skipped.", 'assert parse("""a = 1\n\nb = 2""") == 2'],
  ["Empty cells must stay cells.", "assert row('a\\t\\tb') == 3"],
  ["find() must return an empty list if nothing matches.", "assert len(find('x')) == 0"],
  ["find() must return an empty list if nothing matches.", "assert not search('x')"],
  // Lengths of results.
  ["Hours and minutes must be written with 2 digits.", "assert clock(9, 5) == '09:05'"],
  ["The identifier should have 12 characters.", "assert len(new_id()) == 12"],
  ["Prices must be shown with 2 digits after the point.", "assert price(3) == '3.00 EUR'"],
  // Signs that results must not contain.
  ["Months must be written without leading zeros.", "assert month(5) == '5'"],
  ["The table must have no trailing spaces.", "assert render(t) == 'a  b\\nc  d\\n'"],
  ["The printed list should not have a trailing comma.", "assert show([1, 2]) == '1, 2'"],
  ["It must also work with absolute paths.", "assert load(tmp_path / 'a.ini') == 'x'"],
  ["The printed list must end with a trailing newline.", "assert show([1, 2]) == '1, 2' + end"],
  ["Reports must be converted to absolute paths.", "assert report('a.ini').is_file()"],
  // Words with other meanings.
  [
    "The negative prompt should also be passed to the second encoder.",
    "assert encode('a', 'b').second == 'b'",
  ],
  ["Reviews with negative words must count as unhappy.", "assert mood('awful service') == 'unhappy'"],
  ["Names on the negative list must never be shown.", "assert shown(['ann'], ['bob']) == ['ann']"],
  ["The program must exit with zero if nothing was found.", 'cmd().arg("x").assert().success();'],
  ["The tool should work with zero configuration.", "assert run('a') == 'b'"],
  ["A header of zero length must be ignored.", "assert read(b'') == 1"],
  ["Headings at every level must get an anchor.", "assert page({'a': ['b', 'c']}) == '#'"],
  ["Messages of all levels must be written to the file.", "log.debug('x', extra={'a': [1]})"],
  [
    "The argument must not be changed.",
    "rows := makeRows(3, 1)\nSort(rows)\nif rows[0] != 3 { t.Fatal(rows) }",
  ],
  ["The defaults must not be modified by a call.", "load('a')\nassert DEFAULTS == {'x': 1}"],
  ["The input should not be changed.", "rows = (3, 1)\nassert order(rows) == (1, 3)\nassert rows == (3, 1)"],
  ["The last day must be right in leap years, too.", "assert days(2024) == 366"],
  ["The last day must be right in leap years, too.", "assert days_of_year(1900) == 365"],
];

test.each(honest)("an honest statement with its test has no certain case: %s", (statement, tests) => {
  expect(findUnshownInputs(statement, tests).filter(({ isCertain }) => isCertain)).toEqual([]);
});

test("a demanded input is certain in plain words; what only weakens the evidence is still named", () => {
  const certain = (statement: string) =>
    findUnshownInputs(statement, "assert.deepEqual(merge({ a: { b: 1 } }), 3);").map(
      ({ isCertain }) => isCertain,
    );
  expect(certain("Options have to be merged at every level.")).toEqual([true]);
  expect(certain("This has to work for cards with 15 digits as well.")).toEqual([true]);
  expect(certain("Negative amounts must not be lost.")).toEqual([true]);
  expect(certain("The same goes for refunds, which are negative amounts.")).toEqual([true]);
  expect(certain("Unknown keys must raise a KeyError.")).toEqual([true]);
  expect(certain("Names that leave the folder must be refused (absolute paths).")).toEqual([false, false]);
  expect(certain("Headings at every level must get an anchor.")).toEqual([false]);
  expect(certain("Neither argument may change.")).toEqual([false]);
});

test("many tests silence no stated input", () => {
  const stated = "Empty fields are fields, too.";
  const many = "def test_many():\n    assert other('x') == 'x'\n\n".repeat(4_500);
  expect(findUnshownInputs(stated, many)).toEqual([{ text: `an empty input: ${stated}`, isCertain: true }]);
  expect(findUnshownInputs(stated, `${many}assert other(',a') == 'a'\n`)).toEqual([]);
});

test("a part within another part", () => {
  const stated = "A span within another one must not shorten it.";
  const open = [{ text: `a part within another part: ${stated}`, isCertain: true }];
  expect(findUnshownInputs(stated, "assert merge([(1, 4), (3, 8)]) == [(1, 8)]")).toEqual(open);
  expect(findUnshownInputs(stated, "assert merge([(1, 9), (3, 8)]) == [(1, 9)]")).toEqual([]);
  const elsewhere = "An event in another time zone must be shown in local time.";
  expect(findUnshownInputs(elsewhere, "assert show(event) == 3")).toEqual([]);
});
