import { expect, test } from "vitest";
import type { Unit } from "../../agent/measure/executable-lines.ts";
import { weighCovers } from "./patch-coverage.ts";
import { measuresOf } from "./written-tests.ts";

const unit: Unit = { line: 3, endLine: 3, text: "x()", own: [3], lines: [3], takes: "any", at: "call" };
const lines = { removed: [], added: [{ file: "a.py", line: 3, unit }] };
const executed = { tests: { "t.py::t": { "a.py": [3] } } };
const late = { tests: {}, because: "the run with coverage reached the time limit" };

test("the gain over the base's tests is unknown if their coverage is", () => {
  const covers = { before: { tests: {} }, after: executed, base: executed };
  expect(measuresOf(weighCovers(lines, covers))).toEqual({ patchCoverage: 1, coverageDelta: 0 });
  expect(measuresOf(weighCovers(lines, { ...covers, base: late }))).toEqual({ patchCoverage: 1 });
});

test("unmeasured coverage does not count as 0 %", () => {
  expect(measuresOf(weighCovers(lines, { before: late, after: executed, base: executed }))).toEqual({});
});
