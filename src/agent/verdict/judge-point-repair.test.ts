import { expect, test } from "vitest";
import { findPoint, withPoint } from "./judge-point-repair.ts";

const literal = (...runs: readonly (readonly [string, string])[]) => ({
  ...{ test: "tests/test_fee.py::test_heavy", text: "7" },
  runs: runs.map(([without, patched]) => ({ without, patched })),
});

test("a literal whose every other value gives the base's result is a point", () => {
  const point = literal(["v11", "v11"], ["v9", "v9"], ["v2", "v2"]);
  expect(findPoint([literal(["v11", "v16"]), point])).toBe(point);
});

test("one other result, few results, or errors show no point", () => {
  expect(findPoint([literal(["v11", "v11"], ["v9", "v9"], ["v2", "v2"], ["v24", "v36"])])).toBeUndefined();
  expect(
    findPoint([literal(["vfalse", "vfalse"], ["vfalse", "vfalse"], ["vtrue", "vtrue"])]),
  ).toBeUndefined();
  expect(findPoint([literal(["e1", "e1"], ["e2", "e2"], ["e3", "e3"], ["v4", "v4"])])).toBeUndefined();
});

test("a point becomes an objection that names the test and the literal", () => {
  const given = { predicate: "no-standing-objection", holds: true, evidence: "nothing was found" };
  const point = literal(["v11", "v11"], ["v9", "v9"], ["v2", "v2"]);
  expect(withPoint(given, undefined)).toBe(given);
  const { holds, evidence } = withPoint(given, point);
  expect(holds).toBe(false);
  expect(evidence).toContain("only changes the result for 7 in tests/test_fee.py::test_heavy");
});
