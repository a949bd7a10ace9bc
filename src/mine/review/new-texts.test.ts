import { expect, test } from "vitest";
import { findNewTexts } from "./new-texts.ts";

const rows = [
  {
    why: "an f-string of a conditional expression, whose first words the statement uses otherwise",
    added: ["msg = (", "own.msg", "if own.msg", "else f'at least one of {own.keys} is required'", ")"],
    asked: "assert \"at least one of ['hue', 'tint'] is required\" in text",
    statement: "at least one of `hue` and `tint` has to be given",
    texts: ["is required"],
  },
  {
    why: "a template string",
    added: [`const text = ok ? own : \`no $\{name} in this ledger\`;`],
    asked: 'expect(text).toBe("no account in this ledger");',
    texts: ["in this ledger"],
  },
  {
    why: "an interpolated text of Ruby",
    added: ['text = "the account #{name} stays closed today"'],
    asked: 'assert_equal "the account a stays closed today", text',
    texts: ["the account", "stays closed today"],
  },
  {
    why: "a concatenation",
    added: ['text = "only " + name + " is open"'],
    asked: 'assert text == "only a is open"',
    texts: ["is open"],
  },
  {
    why: "a text over two lines, here and in the tests",
    added: ["raise LedgerError(", '"the account "', 'f"{name} is not open"', ")"],
    asked: 'assert text == (\n"the account a is "\n"not open"\n)',
    texts: ["the account", "is not open"],
  },
  {
    why: "a format of Go",
    added: ['return fmt.Errorf("%[1]q: no account %+v left", name, id)'],
    asked: 'want := "\\"a\\": no account 3 left"',
    texts: [": no account"],
  },
  {
    why: "a part of a message",
    added: ['raise LedgerError(f"{name}: amount is negative, or {least} is zero")'],
    asked: 'assert "amount is negative" in text',
    texts: [],
  },
  {
    why: "a message that the statement tells",
    added: ['raise LedgerError(f"no account {name} here now")'],
    asked: 'assert text == "no account a here now"',
    statement: "It should say `no account a here now`.",
    texts: [],
  },
  {
    why: "a message that the file already has",
    added: ['raise LedgerError("the account is closed")'],
    asked: 'assert text == "the account is closed"',
    before: 'raise LedgerError("the account is closed")',
    texts: [],
  },
  {
    why: "arguments, which are no message together",
    added: ["text = join('no', 'account left')"],
    asked: "assert text == 'no account left'",
    texts: [],
  },
];

test.each(rows)("texts that only the tests tell: $why", ({ added, asked, texts, ...row }) => {
  expect(findNewTexts({ statement: "", before: "", ...row, added, asked })).toEqual(texts);
});

test("a message of many pieces, which the tests repeat often, takes linear time", () => {
  const message = "{} the one".repeat(12);
  const row = { added: [`text = f"${message} is closed"`], statement: "", before: "" };
  expect(findNewTexts({ ...row, asked: "the one ".repeat(2000) })).toEqual([]);
  expect(findNewTexts({ ...row, asked: `${"the one ".repeat(2000)}is closed` })).toEqual([
    "the one",
    "the one is closed",
  ]);
});
