import { expect, test } from "vitest";
import { readDocumented } from "../review/examples/shown-examples.ts";
import type { Value } from "../review/texts/literal-values.ts";
import { judgeExamples, type RunExample } from "./judge-examples.ts";

const example = (
  base: Value | undefined,
  patched: Value | undefined,
  more: Partial<RunExample> = {},
): RunExample[] =>
  readDocumented(">>> fee(10)\n24").map((shown) => ({
    ...shown,
    file: "shipping.py",
    from: "documentation",
    isNamed: true,
    isMentioned: false,
    isKept: true,
    base,
    patched,
    ...more,
  }));
const sentence =
  "The documentation in shipping.py says that `fee(10)` gives 24, but with the patch it gives 21.";
const nothing = { objections: [], doubts: [], held: 0 };

test.each([
  ["held on the base", example(24, 21, { isNamed: false })],
  ["is moved to another wrong result in a function that the statement names", example(16, 21)],
  ["is of a target without a body", example(undefined, 21, { from: "target", isNamed: false })],
])("an example counts that %s", (_, examples) => {
  expect(judgeExamples(examples)).toEqual({ ...nothing, objections: [sentence] });
});

test.each([
  ["holds", example(16, 24), { ...nothing, held: 1 }],
  ["gives no value", example(24, undefined), nothing],
  [
    "was wrong before, in a function that the statement does not name",
    example(16, 21, { isNamed: false }),
    nothing,
  ],
  ["the statement has, which held before", example(24, 21, { isMentioned: true }), nothing],
  ["says what the current result is", example(24, 21, { from: "statement", isChanged: true }), nothing],
  ["is printed, and of another type", example(24, "21", { isPrinted: true }), nothing],
])("an example does not count that %s", (_, examples, judged) => {
  expect(judgeExamples(examples)).toEqual(judged);
});

test("what the patch changes in the documentation, or leaves wrong there, is a doubt", () => {
  expect(judgeExamples(example(24, 21, { isKept: false }))).toEqual({
    ...nothing,
    doubts: ["changes the documented result of `fee(10)`"],
  });
  expect(judgeExamples(example(16, 16))).toEqual({
    ...nothing,
    doubts: ["leaves `fee(10)` with 16, although its documentation shows 24"],
  });
});
