import { expect, test } from "vitest";
import { tellStillPassing } from "./still-passing.ts";

test("one test and several are told in the right number", () => {
  expect(tellStillPassing(1)).toBe("the one test that passed before still passes");
  expect(tellStillPassing(7)).toBe("all 7 tests that passed before still pass");
});

test("where none passed before, nothing is promised", () => {
  expect(tellStillPassing(0)).toBe("no test passed before the change, so none can break");
});
