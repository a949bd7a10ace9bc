import { expect, test } from "vitest";
import { tellOpinions } from "./judge-work.ts";

const unmet = ["failure-is-the-stated-one", "no-test-breaks"].map((predicate) => ({
  predicate,
  holds: false,
  evidence: "",
}));

test("an author is asked only for opinions that can count", () => {
  const broken = ["tests/a.py::test_total"];
  expect(tellOpinions(unmet, { delivers: "code", broken, isExplained: false })).toHaveLength(2);
  expect(tellOpinions(unmet, { delivers: "code", broken: [], isExplained: false })).toEqual([
    expect.stringContaining("`because`"),
  ]);
  // New tests alone have no patch that a review could compare with the statement.
  expect(tellOpinions(unmet, { delivers: "test", broken: [], isExplained: false })).toEqual([]);
});
