import { expect, test } from "vitest";
import { findUnshownParts, listStatedParts } from "./stated-parts.ts";

const partsOf = (statement: string) => listStatedParts(statement).map(({ text }) => text);
const own = (body: string) => ({ name: "t::one", file: "t.py", isOfBase: false, body, around: "" });
const unshown = (statement: string, body: string) =>
  findUnshownParts(statement, [own(body)]).map(({ text }) => text);

const entrances =
  "There are two entrances to the same endless loop: a seek position past the last newline (e.g. in a file with no newline), and a negative `rel_seek`. `rel_seek=-0.5` starts in the middle.";

test("a statement that counts its cases has as many parts, in a sentence or in a list", () => {
  const seek = "a seek position past the last newline (e.g. in a file with no newline)";
  expect(partsOf(entrances)).toEqual([seek, "a negative `rel_seek`"]);
  expect(
    partsOf("Two bugs in `read`:\n\n- it hangs at the end\n  of a file\n- it drops commas\n\nBoth are old."),
  ).toEqual(["it hangs at the end of a file", "it drops commas"]);
  expect(partsOf("It fails in three cases: empty texts, blanks and tabs.")).toEqual([
    "empty texts",
    "blanks",
    "tabs",
  ]);
  expect(partsOf("Two problems: (1) commas are lost, (2) tabs stay.")).toEqual([
    "commas are lost,",
    "tabs stay",
  ]);
});

test("another number of pieces, steps, check lists and versions are no cases", () => {
  expect(partsOf("Two calls: the first one hangs. The second works.")).toEqual([]);
  expect(partsOf("Steps to reproduce:\n- open a file\n- seek to its end")).toEqual([]);
  expect(partsOf("It hangs:\n- [x] I searched the issues\n- [ ] I have a fix")).toEqual([]);
  expect(partsOf("It hangs.\n\n### Environment:\n- Linux\n- Python 3")).toEqual([]);
});

test("a part is open if the tests have words of another part, and hardly any of it", () => {
  const half = "def test_tail_half():\n    assert tail(rel_seek=-0.5) == [2]";
  const whole = `${half}\n\ndef test_seek_in_last_line_without_newline():\n    assert tail(0.9, no_newline) == []`;
  expect(unshown(entrances, half)).toEqual([expect.stringContaining("a seek position")]);
  expect(unshown(entrances, whole)).toEqual([]);
  // Tests that share no words with any part say nothing about one of them.
  expect(unshown(entrances, "def test_tail():\n    assert tail(-0.5) == [2]")).toEqual([]);
});

test("one word shows a short part", () => {
  const statement =
    "It fails in three cases: tabs are no separators, an empty line, and repeated blanks stay.";
  const tabs = 'test("splits at tabs", () => assert.deepEqual(words("a\\tb"), ["a", "b"]));';
  const rest = 'test("gives none for an empty line", empty);\ntest("ignores repeated blanks", blanks);';
  expect(unshown(statement, tabs)).toEqual(["an empty line", "repeated blanks stay"]);
  expect(unshown(statement, `${tabs}\n${rest}`)).toEqual([]);
});

test("a list without a count is uncertain", () => {
  const statement = "`read` is wrong:\n- it drops commas\n- it hangs at the end";
  expect(findUnshownParts(statement, [own("def test_commas_drop(): pass")])).toEqual([
    { text: "it hangs at the end", isCertain: false },
  ]);
});

test("a very long line does not hang the search for a list", () => {
  expect(listStatedParts(`${"a b ".repeat(250_000)}\nTwo faults:\n- one\n- two`)).toHaveLength(2);
});
