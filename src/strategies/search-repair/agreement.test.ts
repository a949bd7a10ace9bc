import { expect, it } from "vitest";
import type { CoveredLines, TestOutcome } from "../../domain/test-outcome.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { chooseTests } from "./agreement.ts";

function outcome(name: string, status: TestOutcome["status"]): TestOutcome {
  return { key: { package: "", target: "tests/test_m.py", name }, status, durationMs: 1 };
}

const failing = outcome("test_key", "failed");
const baseline = {
  targets: [failing],
  outcomes: [failing, outcome("test_other", "passed"), outcome("test_match", "passed")],
};
const plausible = [{ proposal: { file: "m.py", statementLine: 7 } }];

function coverageOf(lines: Readonly<Record<string, CoveredLines>>): ReadonlyMap<string, CoveredLines> {
  const idOf = new Map(baseline.outcomes.map(({ key }) => [key.name, formatTestKey(key)]));
  return new Map(Object.entries(lines).map(([name, own]) => [idOf.get(name) ?? "", own]));
}

it("varies only tests that run the changed statement", () => {
  const coverage = coverageOf({
    test_key: { "m.py": [6, 7] },
    test_other: { "m.py": [6] },
    test_match: { "m.py": [7] },
  });
  const { tests, reaching } = chooseTests({ baseline, coverage, plausible });
  expect(tests.map(({ name }) => name)).toEqual(["test_match", "test_other", "test_key"]);
  expect(reaching?.map(({ name }) => name)).toEqual(["test_match", "test_key"]);
});

it("varies all tests where none is known to run it", () => {
  expect(chooseTests({ baseline, coverage: new Map(), plausible }).reaching).toBeUndefined();
});
