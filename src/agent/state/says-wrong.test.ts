import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { findClaim, withAgreed, withSaysWrong } from "./says-wrong.ts";
import { emptyState } from "./task-state.ts";

const because = "the statement calls this result wrong";
const [one, other] = ["tests/a.py::test_pays", "tests/b.py::test_pays"];

test("a review's agreement is about the tests that it saw, not about another test of the same name", () => {
  const notes = partOf<Parameters<typeof withAgreed>[0]>({ events: [], append: () => {} });
  const claimed = withSaysWrong(emptyState, [{ test: "test_pays", because }]);
  expect(findClaim(claimed.saysWrong ?? [], [other], other)).toBeDefined();
  const agree = (broken: readonly string[]) =>
    withAgreed(notes, claimed, [{ test: "test_pays", agreed: true, because }], broken).saysWrong ?? [];
  expect(findClaim(agree([one]), [one], one)?.isAgreed).toBe(true);
  expect(findClaim(agree([one]), [other], other)).toBeUndefined();
  // A test that the patch rewrote is not broken with the patch's wording.
  expect(findClaim(agree([]), [one], one)?.isAgreed).toBe(true);
});
