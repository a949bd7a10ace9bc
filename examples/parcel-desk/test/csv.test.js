import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCsv, parseRows } from "../src/csv.js";

const cells = (text) => parseRows(text).map((row) => row.cells);

test("cells are split at commas and rows at line breaks", () => {
  assert.deepEqual(cells("a,b\nc,d\n"), [
    ["a", "b"],
    ["c", "d"],
  ]);
  assert.deepEqual(cells("a,b\r\nc,\r\n"), [
    ["a", "b"],
    ["c", ""],
  ]);
});

test("quoted cells keep commas, quotes and line breaks", () => {
  assert.deepEqual(cells('"a, ""b""",c\n'), [['a, "b"', "c"]]);
  assert.deepEqual(cells('"one\ntwo",c'), [["one\ntwo", "c"]]);
});

test("blank rows are skipped and lines keep their numbers", () => {
  const rows = parseRows('a\n\n"b\nb"\n , \nc\n');
  assert.deepEqual(
    rows.map(({ line }) => line),
    [1, 3, 6],
  );
});

test("a quote that is never closed is reported where it began", () => {
  assert.throws(() => parseRows('a\n"b\nc'), /line 2: a quote is never closed/);
});

test("the first row names the columns", () => {
  assert.deepEqual(parseCsv("\uFEFFId, Name\n7,  Lea \n"), [
    { line: 2, values: { id: "7", name: "Lea" } },
  ]);
  assert.deepEqual(parseCsv(""), []);
});

test("a row of another length is reported", () => {
  assert.throws(() => parseCsv("a,b\n1\n"), /line 2: 1 cells where the header has 2/);
});
