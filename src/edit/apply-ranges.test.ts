import { expect, test } from "vitest";
import { applyRanges, changesOf } from "./apply-ranges.ts";

const range = (line: number, column: number, endLine: number, endColumn: number) => ({
  start: { line, column },
  end: { line: endLine, column: endColumn },
});

test("edits are made at their places, whatever the earlier ones did to the length", () => {
  const edits = [
    { range: range(1, 4, 1, 7), text: "longer" },
    { range: range(2, 7, 2, 10), text: "longer" },
    { range: range(3, 0, 3, 0), text: "# new\n" },
  ];
  expect(applyRanges("def old():\r\nreturn old()\n", edits)).toBe(
    "def longer():\r\nreturn longer()\n# new\n",
  );
});

test("an edit may span lines, and end after the last one", () => {
  expect(applyRanges("a\nb\nc", [{ range: range(1, 1, 3, 1), text: "!" }])).toBe("a!");
  expect(applyRanges("a", [{ range: range(1, 0, 9, 0), text: "" }])).toBe("");
});

test("a file that cannot be read is left out", () => {
  const edits = [{ path: "a", edits: [{ range: range(1, 0, 1, 1), text: "y" }] }];
  expect(changesOf(edits, () => "x\n")).toEqual([{ path: "a", before: "x\n", after: "y\n" }]);
  expect(changesOf(edits, () => undefined)).toEqual([]);
});
