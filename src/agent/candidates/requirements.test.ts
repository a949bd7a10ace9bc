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
  expect(refuseLinks(listed, [first], changed)).toContain("Missing: 2");
  expect(refuseLinks(listed, [first, { id: "2", tests: [], changes: ["src/other.py:3"] }], changed)).toBe(
    "Your work changes nothing in src/other.py:3.",
  );
  expect(refuseLinks(listed, [first, { id: "2", tests: [], changes: [] }], changed)).toBeUndefined();
});

test("a requirement is open until a change is named, and a test that really passes", () => {
  const links = [{ id: "1", tests: ["CloseTest.test_pays"], changes: ["src/account.py:20"] }];
  const requirements = linkRequirements(listed, links);
  const hunks = [{ file: "src/account.py", startLine: 17, endLine: 24 }];
  expect(openRequirements({ requirements }, [passed("CloseTest.test_pays")], hunks)).toEqual([
    "Requirement 2 (Debts are refused): no named change meets it, no named passing test checks it.",
  ]);
  expect(openRequirements({ requirements }, [passed("CloseTest.test_pays_out")], hunks)[0]).toBe(
    "Requirement 1 (It pays out): none of these tests ran: CloseTest.test_pays.",
  );
  const rows = [passed("CloseTest.test_pays[0-1]"), passed("CloseTest.test_pays[a[0]]")];
  expect(openRequirements({ requirements }, rows, hunks)).toHaveLength(1);
  const again = linkRequirements(requirements, [{ id: "1", tests: ["test_more"], changes: [] }]);
  expect(again[0]).toMatchObject({
    tests: ["CloseTest.test_pays", "test_more"],
    changes: ["src/account.py:20"],
  });
});

test("a link counts where it leads: to a hunk of the candidate, and a test that ran and passed", () => {
  const link = (changes: string[], tests = ["test_pays"]) => [
    { id: "1", text: "It pays out", tests, changes },
  ];
  const open = (changes: string[], tests?: string[]) =>
    openRequirements(
      { requirements: link(changes, tests) },
      [passed("test_pays"), { ...passed("test_owes"), status: "failed" }],
      [{ file: "src/account.py", startLine: 17, endLine: 24 }],
    );
  expect(open(["src/account.py:24"])).toEqual([]);
  expect(open(["src/account.py"])).toEqual([]);
  expect(open(["src/account.py:90", "src/account.py:10-17"])).toEqual([]);
  expect(open(["src/account.py:90"])).toEqual([
    "Requirement 1 (It pays out): nothing is changed at src/account.py:90.",
  ]);
  expect(open(["src/other.py:20"])[0]).toContain("nothing is changed at src/other.py:20");
  expect(open(["src/account.py:20"], ["test_owes"])[0]).toContain("no named passing test checks it");
  expect(open(["src/account.py:20"], ["test_gone"])[0]).toContain("none of these tests ran: test_gone");
});

test("what a passing test checks may be met by what was there, and where nobody named a test that is said once", () => {
  const hunks = [{ file: "src/account.py", startLine: 17, endLine: 24 }];
  const changed = linkRequirements(listed, [{ id: "1", changes: ["src/account.py:20"] }]);
  expect(openRequirements({ requirements: changed }, [passed("test_pays")], hunks)).toEqual([
    "No author named tests that check the 2 requirements.",
    "Requirement 2 (Debts are refused): no named change meets it.",
  ]);
  const checked = linkRequirements(changed, [
    { id: "1", tests: ["test_pays"] },
    { id: "2", tests: ["test_owes"] },
  ]);
  expect(openRequirements({ requirements: checked }, ["test_pays", "test_owes"].map(passed), hunks)).toEqual(
    [],
  );
});
