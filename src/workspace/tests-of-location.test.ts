import { describe, expect, test } from "vitest";
import type { TestKey, TestOutcome, TestStatus } from "../domain/test-outcome.ts";
import type { ProjectView } from "../languages/contract.ts";
import { findFlakyTests } from "./flaky-tests.ts";
import { findTestsOf } from "./tests-of-location.ts";

const texts: Record<string, string> = {
  "tests/test_account.py": "from bank.account import Account\n",
  "tests/test_report.py": "from bank import report\nfrom bank.account import Account\n",
  "tests/test_cli.py": "import subprocess\n",
  "web/cart.test.ts": 'import { total } from "../src/shop/cart";\n',
  "zone/zone_test.go": "package zone\n",
  "zone/other_test.go": "package zone\n",
  "src/test/java/a/LedgerTest.java": "class LedgerTest { Ledger ledger; }",
};
const project: ProjectView = { files: Object.keys(texts), read: (path) => texts[path], exists: () => false };
const tests = Object.keys(texts).flatMap((target): TestKey[] => [
  { package: "", target, name: "first" },
  { package: "", target, name: "second" },
]);

describe("findTestsOf", () => {
  test.each([
    ["bank/account.py", ["tests/test_account.py", "tests/test_report.py"]],
    ["src/shop/cart.ts", ["web/cart.test.ts"]],
    ["src/main/java/a/Ledger.java", ["src/test/java/a/LedgerTest.java"]],
    ["zone/zone.go", ["zone/zone_test.go", "zone/other_test.go"]],
  ])("finds the tests of %s by names and texts", (file, files) => {
    expect(findTestsOf({ file }, { project, tests })).toEqual({
      selection: { kind: "files", files },
      evidence: "names and texts",
    });
  });

  test("takes those of the folder, and all where nothing says which", () => {
    const go = findTestsOf({ file: "zone/x9.go" }, { project, tests });
    expect(go).toEqual({
      selection: { kind: "files", files: ["zone/zone_test.go", "zone/other_test.go"] },
      evidence: "same folder",
    });
    expect(findTestsOf({ file: "bank/x9.py" }, { project, tests }).selection).toEqual({ kind: "all" });
  });

  test("takes the tests that executed the line, or else the file", () => {
    const coverage = new Map([
      ["tests/test_cli.py::first", { "bank/account.py": [1, 5] }],
      ["tests/test_cli.py::second", { "bank/account.py": [1] }],
    ]);
    const names = (line?: number): string[] => {
      const found = findTestsOf(
        { file: "bank/account.py", ...(line === undefined ? {} : { line }) },
        { project, tests, coverage },
      );
      expect(found.evidence).toBe("coverage");
      return found.selection.kind === "tests" ? found.selection.tests.map((key) => key.name) : [];
    };
    expect(names(5)).toEqual(["first"]);
    expect(names(7)).toEqual(["first", "second"]);
    expect(names()).toEqual(["first", "second"]);
  });

  test("of a place in a test file they are its own", () => {
    const found = findTestsOf({ file: "tests/test_cli.py", symbol: "second" }, { project, tests });
    expect(found.selection).toEqual({
      kind: "tests",
      tests: [{ package: "", target: "tests/test_cli.py", name: "second" }],
    });
  });
});

test("a test is flaky that passes in one run and fails in another", () => {
  const run = (statuses: Record<string, TestStatus>): TestOutcome[] =>
    Object.entries(statuses).map(([name, status]) => ({
      key: { package: "", target: "a", name },
      status,
      durationMs: 0,
    }));
  const flaky = findFlakyTests([
    run({ a: "passed", b: "failed", c: "passed", d: "skipped", e: "errored" }),
    run({ a: "failed", b: "failed", c: "not-run", d: "failed", e: "passed" }),
    run({ a: "passed", b: "failed" }),
  ]);
  expect(flaky.map(({ key, statuses }) => [key.name, ...statuses])).toEqual([
    ["a", "passed", "failed", "passed"],
    ["e", "errored", "passed", "not-run"],
  ]);
});
