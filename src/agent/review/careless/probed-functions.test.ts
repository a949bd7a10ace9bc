import { expect, test } from "vitest";
import { compareTexts } from "../../code/change.ts";
import { listProbedFunctions } from "./probed-functions.ts";

const list = async (path: string, before: string, statement = "the total is wrong") => {
  const found = await listProbedFunctions([compareTexts(path, before, `${before}\n`)], statement);
  return found.map(({ name, mayKeepState, mayChangeInput }) => [name, mayKeepState, mayChangeInput]);
};

test("plain functions may keep no state and change no input", async () => {
  expect(await list("a.py", "RATES = [1]\n\n\ndef total(rows):\n    return sum(rows)\n")).toEqual([
    ["total", false, false],
  ]);
  expect(await list("a.js", "export function total(rows) {\n  return rows.length;\n}\n")).toEqual([
    ["total", false, false],
  ]);
});

test.each<[path: string, before: string, state: boolean, change: boolean]>([
  ["a.py", "_seen = set()\n\n\ndef total(rows):\n    return sum(rows)\n", true, false],
  ["a.py", "def next_id(rows):\n    return 1\n", true, false],
  ["a.go", "package a\n\nvar all = 1\n\nfunc Total(rows []int) int {\n\treturn all\n}\n", true, false],
  ["a.py", "def sort_rows(rows):\n    return rows\n", false, true],
  ["a.py", "def total(rows):\n    rows.append(1)\n    return sum(rows)\n", false, true],
  ["a.js", "export function total(rows) {\n  rows.sum[0] = 1;\n  return rows;\n}\n", false, true],
])("%s: %s", async (path, before, state, change) => {
  expect(await list(path, before)).toEqual([[expect.anything(), state, change]]);
});

test("a statement about state or changed inputs excuses", async () => {
  const text = "def total(rows):\n    return sum(rows)\n";
  expect(await list("a.py", text, "each call must give the next number")).toEqual([["total", true, false]]);
  expect(await list("a.py", text, "the rows must be sorted in place")).toEqual([["total", false, true]]);
});

test("a changed method may change its object only if its name, documentation or statement says so", async () => {
  const before = (name: string): string =>
    `class Rows:\n    """Rows of numbers."""\n\n    def ${name}(self):\n        return self.rows\n`;
  const listMethods = async (name: string, statement: string) => {
    const after = before(name).replace("self.rows", "sorted(self.rows)");
    const found = await listProbedFunctions([compareTexts("a.py", before(name), after)], statement);
    return found.map(({ isMethod, mayKeepState }) => [isMethod, mayKeepState]);
  };
  expect(await listMethods("ordered", "`ordered` gives the rows unsorted")).toEqual([[true, false]]);
  expect(await listMethods("poll", "`poll` gives the rows unsorted")).toEqual([[true, true]]);
  expect(await listMethods("ordered", "`ordered` must also remove the rows")).toEqual([[true, true]]);
});
