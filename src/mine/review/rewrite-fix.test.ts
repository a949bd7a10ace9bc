import { expect, test } from "vitest";
import { addSpaces, rewriteText } from "./rewrite-fix.ts";

const rows = [
  {
    path: "account.py",
    text: "def withdraw(self, amount):\n    if amount < 1:\n        raise ValueError('a b')\n    return 'a b c'\n",
    wanted: ["if amount < 1:", "return 'a b c'"],
    spaced:
      "def withdraw(self, amount):\n    if  amount < 1:\n        raise ValueError('a b')\n    return  'a b c'\n",
  },
  {
    path: "account.js",
    text: "export const say = 'a b';\nexport const name = () => say + 'a b';\n",
    wanted: ["export const name = () => say + 'a b';"],
    spaced: "export const say = 'a b';\nexport  const name = () => say + 'a b';\n",
  },
  {
    path: "account.rb",
    text: "def fetch(flag)\n  'a b'\nend\n",
    wanted: ["def fetch(flag)", "'a b'"],
    spaced: "def  fetch(flag)\n  'a b'\nend\n",
  },
];

test.each(rows)("the lines of a fix get spaces where they mean nothing: $path", async (row) => {
  expect(await addSpaces(row.path, row.text, new Set(row.wanted))).toBe(row.spaced);
});

test.each([
  ["else f'one of {keys} is required'", "is required", "else f'one of {keys} required is'"],
  ["return own ? own : `no account in y`;", "in y", "return own ? own : `no account y in`;"],
  ["text = 'must be non-negative'", "must be non-negative", "text = 'must non be-negative'"],
])("a text of the fix gets other words: %s", (line, text, rewritten) => {
  const code = `for (x in y) use("in y");\n  ${line}\n`;
  const rewrite = { names: [], texts: [text], lines: new Set([line]) };
  expect(rewriteText(code, rewrite, () => false)).toBe(code.replace(line, rewritten));
});
