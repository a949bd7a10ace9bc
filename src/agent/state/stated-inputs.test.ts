import { expect, test } from "vitest";
import { findOtherInputs } from "./stated-inputs.ts";

const statement = 'A comma before a fraction is lost: `number("1,5")` returns 15 and has to return 1.5';

test("a test of the stated call has other inputs, or one of the stated ones", () => {
  expect(findOtherInputs(statement, ["number"], ["1,500", "1500"])).toBe("number");
  expect(findOtherInputs(statement, ["number"], ["1,5", "15"])).toBeUndefined();
});

test("a statement without inputs of the call is about all", () => {
  expect(findOtherInputs(statement, ["total"], ["1,500"])).toBeUndefined();
  expect(findOtherInputs("`number()` and `number(text)` lose commas", ["number"], ["1,500"])).toBeUndefined();
});
