import { expect, test } from "vitest";
import { findUnshownAbsences } from "./stated-absences.ts";

const unshown = (statement: string, tests: string) =>
  findUnshownAbsences(statement, tests).map(({ text }) => text);

const without = 'def test_host():\n    assert normalise("http://A.example") == "http://a.example"\n';

test.each<[sentence: string, shown: string]>([
  [
    "The path and the query must stay as they are, since servers tell `/A` from `/a`.",
    "def test_keeps_the_path():\n    pass\n",
  ],
  [
    "Single-character separators and non-fusing fields are unaffected (no extra quoting).",
    'it("a field that does not fuse stays unquoted", () => {});\n',
  ],
  ["Shifts that only touch still do not overlap.", "def test_shifts_that_only_touch():\n    pass\n"],
  ["Lines without `=` are still refused.", "    with pytest.raises(ValueError):\n"],
  ["All other headers stay as they are.", "def test_other_headers():\n    pass\n"],
  ["Values that are there stay as they are, also 0, false and null.", "assert.equal(get(null), null);\n"],
  ["Hidden rows must not change.", "fn hidden_rows_stay() {}\n"],
])("something that has to stay is an open case until a test shows it: %s", (sentence, shown) => {
  expect(unshown(`Hosts must be in lower case. ${sentence}`, without)).toEqual([
    `something that stays: ${sentence}`,
  ]);
  expect(unshown(`Hosts must be in lower case. ${sentence}`, `${without}${shown}`)).toEqual([]);
});

test.each([
  [
    "The default timeout must stay 30 seconds.",
    "assert Client().timeout == 30\n",
    "assert Client().timeout == 130\n",
  ],
  ["The default of 30 seconds must stay.", "assert wait() == 30\n", "assert wait() == 3\n"],
  [
    "The default encoding must remain `utf-8`.",
    "assert read().encoding == 'utf-8'\n",
    "assert read() == 'a'\n",
  ],
  [
    'The name of the root must stay "main".',
    "assert root.name == 'main'\n",
    "assert root.name == 'domain'\n",
  ],
])("a stated value is shown by a test that has it: %s", (sentence, with_, without_) => {
  expect(unshown(sentence, with_)).toEqual([]);
  expect(unshown(sentence, without_)).toHaveLength(1);
});

test("code in the subject, or after the part with the value, shows nothing", () => {
  const tests = "assert sort([3, 1]) == [1, 3]\n";
  expect(unshown("All other headers of `sort` must stay as they are.", tests)).toHaveLength(1);
  expect(unshown("All other headers must stay as they are, since 3 uses `sort`.", tests)).toHaveLength(1);
  expect(unshown("All other headers must not change `sort`.", tests)).toHaveLength(1);
});

test("a word of the sentence that every object has as a property is an ordinary word", () => {
  const sentence = "All other headers must stay as they are, including those that the constructor sets.";
  expect(unshown(sentence, without)).toEqual([`something that stays: ${sentence}`]);
});

test.each([
  "The list stays as it is after `sort`.",
  "The counter is unchanged, although it should grow.",
  "Other versions are not affected.",
  "Firefox and other browsers are unaffected.",
  "The public API must not change.",
  "Existing tests are unaffected.",
  "It must remain.",
  "It still does not cover the builders that change the set.",
  "The value must stay below the limit.",
  "The rest is out of scope and stays as it is.",
  "Must the other rows stay as they are?",
])("a symptom, another program or a limit is no case: %s", (sentence) => {
  expect(unshown(`Hosts must be in lower case. ${sentence}`, without)).toEqual([]);
});
