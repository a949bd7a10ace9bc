import { expect, test } from "vitest";
import { addSpaces } from "./rewrite-fix.ts";

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
