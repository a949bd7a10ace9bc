import { expect, test } from "vitest";
import { awaitsReview, isClaimed, tellUnnamed } from "./open-claims.ts";

const id = "test/test_base.rb::Tester#test_strings";
const unmet = (predicate: string) => ({ predicate, holds: false, evidence: "" });
const awaiting = [
  { key: { package: "", target: "test/test_base.rb", name: "Tester#test_strings" }, why: "no review" },
];
const judged = { gate: [unmet("no-test-breaks")], row: undefined, broken: [id], awaiting };
const says = (test: string, isAgreed?: boolean) => ({
  test,
  because: "the statement",
  ...(isAgreed === undefined ? {} : { isAgreed }),
});

test("a review is the next step only if nothing else is missing", () => {
  expect(awaitsReview(judged)).toBe(true);
  expect(awaitsReview({ ...judged, broken: [id, "a.rb::B#test_c"] })).toBe(false);
  expect(awaitsReview({ ...judged, awaiting: [] })).toBe(false);
  expect(awaitsReview({ ...judged, gate: [...judged.gate, unmet("failing-tests-pass")] })).toBe(false);
  const changed = { ...judged, gate: [...judged.gate, unmet("tests-intact")] };
  expect([awaitsReview(changed), awaitsReview({ ...changed, isIntactIfAgreed: true })]).toEqual([
    false,
    true,
  ]);
  expect(awaitsReview({ ...judged, gate: [{ ...unmet("no-test-breaks"), isCut: true }] })).toBe(false);
});

test("a claim that names no broken test is reported with the ids of the broken tests", () => {
  expect(isClaimed(judged, [says("test_string")])).toBe(false);
  expect(tellUnnamed(judged, [says("test_string")])).toEqual([
    expect.stringContaining('do not each name exactly one broken test: "test_string"'),
    `- ${id}`,
  ]);
  expect(isClaimed(judged, [says("test_strings")])).toBe(true);
  expect(tellUnnamed(judged, [says("test_strings"), says("test_string")])).toEqual([]);
  const wrong = [
    { key: { package: "", target: "test/test_base.rb", name: "Tester#test_strings" }, why: "the rule" },
  ];
  expect(tellUnnamed({ ...judged, broken: [], wrong }, [says("test_strings"), says("test_string")])).toEqual(
    [],
  );
});
