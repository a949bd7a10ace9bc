import { expect, test } from "vitest";
import { findQuoted, literalsOf, spanAround } from "./stated-literals.ts";

test("code spans and quoted texts of a statement are looked for verbatim, and those inside of them", () => {
  const statement =
    "`get('/test?param=1')` must not be resolved against `http://localhost`, but rejected with \"Invalid URL\"; `null` stays.";
  expect(literalsOf(statement)).toEqual([
    "get('/test?param=1')",
    "http://localhost",
    "/test?param=1",
    "Invalid URL",
  ]);
  expect(literalsOf("Nothing is quoted here.")).toEqual([]);
  expect(literalsOf("It should return b'hello world'.")).toEqual(["hello world"]);
  expect(literalsOf("It's a pity that the page's heading isn't right")).toEqual([]);
});

test("a literal that stands everywhere hides none that stands in one place, and is none itself", () => {
  const files: Readonly<Record<string, string>> = {
    "a.py": 'log("common")\n'.repeat(500),
    "b.py": "rare = 1\nraise Gone('rare')\n",
  };
  const found = findQuoted(["common", "rare", "nowhere"], ["a.py", "gone.py", "b.py"], (path) => files[path]);
  expect(found).toEqual([{ text: "rare", lines: [{ path: "b.py", line: 2 }] }]);
});

test("a line is shown with its definition, of a long one with what stands around it", () => {
  const definitions = [
    { startLine: 10, endLine: 300 },
    { startLine: 100, endLine: 112 },
    { startLine: 105, endLine: 105 },
  ];
  expect(spanAround(definitions, 105)).toEqual({ startLine: 100, endLine: 112 });
  expect(spanAround(definitions, 12)).toEqual({ startLine: 10, endLine: 22 });
  expect(spanAround(definitions, 298)).toEqual({ startLine: 292, endLine: 300 });
  expect(spanAround([], 3)).toEqual({ startLine: 1, endLine: 13 });
});
