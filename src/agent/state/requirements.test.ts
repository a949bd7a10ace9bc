import { expect, test } from "vitest";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { linkRequirements, openRequirements, refuseLinks } from "./requirements.ts";

const listed = ["It pays out", "Debts are refused"].map((text, index) => ({
  id: String(index + 1),
  text,
  tests: [],
  changes: [],
}));
const passed = (name: string): TestOutcome => ({
  key: { package: "", target: "tests/test_close.py", name },
  status: "passed",
  durationMs: 1,
});

test("each requirement is spoken of, and changes are where something changes", () => {
  const changed = new Set(["src/account.py"]);
  const first = { id: "1", tests: [], changes: ["src/account.py:20"] };
  expect(refuseLinks(listed, [first], changed)).toContain("2 missing");
  expect(refuseLinks(listed, [first, { id: "2", tests: [], changes: ["src/other.py:3"] }], changed)).toBe(
    "Nothing is changed there: src/other.py:3.",
  );
  expect(refuseLinks(listed, [first, { id: "2", tests: [], changes: [] }], changed)).toBeUndefined();
});

test("a requirement is open until a change is named, and a test that really passes", () => {
  const links = [{ id: "1", tests: ["CloseTest.test_pays"], changes: ["src/account.py:20"] }];
  const requirements = linkRequirements(listed, links);
  expect(openRequirements({ requirements }, [passed("CloseTest.test_pays")])).toEqual([
    "Requirement 2 (Debts are refused): no change is said to meet it, no passing test is said to check it.",
  ]);
  expect(openRequirements({ requirements }, [passed("CloseTest.test_pays_out")])[0]).toBe(
    "Requirement 1 (It pays out): no passing test is said to check it.",
  );
  const again = linkRequirements(requirements, [{ id: "1", tests: ["test_more"], changes: [] }]);
  expect(again[0]).toMatchObject({
    tests: ["CloseTest.test_pays", "test_more"],
    changes: ["src/account.py:20"],
  });
});
