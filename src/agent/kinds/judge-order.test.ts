import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext } from "../action.ts";
import { judgeNewTests } from "./new-tests.ts";

const outcome = (name: string, status: TestStatus = "passed"): TestOutcome => ({
  key: { package: "", target: "tests/test_a.py", name },
  status,
  durationMs: 1,
});
const fresh = [outcome("test_new")];
const before = Array.from({ length: 25 }, (_, index) => outcome(`test_${index}`));

/** All tests end with these results, in each run. */
const contextOf = (whole: readonly TestOutcome[]): JudgeContext & Pick<ActionContext, "regions"> =>
  partOf<ActionContext>({
    suite: { outcomes: before, durationMs: 1, command: { framework: "pytest" } },
    limits: { remainingMs: () => Number.POSITIVE_INFINITY },
    recorder: { has: () => false, step: (_, execute) => execute() },
    workspace: {
      base: "base",
      trees: { stat: async () => [] },
    },
    frameworks: [],
    executor: { run: async () => ({ report: { outcomes: whole, invalid: undefined }, end: "exited" }) },
  });

async function judged(whole: readonly TestOutcome[], own = true) {
  let asked = 0;
  const { gate, row } = await judgeNewTests(
    contextOf(whole),
    { id: "t1", tree: "tree", kind: "test", origin: "" },
    {
      changed: { tests: [], code: [], inside: [] },
      fresh,
      outcomes: fresh,
      invalid: undefined,
      isWhole: false,
    },
    {
      gate: [{ predicate: "own", holds: own, evidence: "" }],
      isReady: own,
      missing: ["a line"],
      progress: 0,
      further: async () => {
        asked += 1;
        const faults = { predicate: "new-tests-notice-faults", holds: true, evidence: "" };
        return { gate: [faults], missing: ["a mutant"], mutants: { tried: 2, noticed: 2 } };
      },
    },
  );
  return { asked, names: gate.map(({ predicate, holds }) => [predicate, holds]), missing: row.missing };
}

test("all tests run before the mutants, which run only if no test breaks", async () => {
  expect(await judged([...before, ...fresh])).toEqual({
    asked: 1,
    names: [
      ["own", true],
      ["no-test-breaks", true],
      ["new-tests-notice-faults", true],
    ],
    missing: ["a line", "a mutant"],
  });
  // More than 20 broken tests are not asked again.
  const broken = before.map(({ key }) => outcome(key.name, "failed"));
  expect(await judged([...broken, ...fresh])).toEqual({
    asked: 0,
    names: [
      ["own", true],
      ["no-test-breaks", false],
    ],
    missing: ["a line"],
  });
  expect(await judged(before, false)).toMatchObject({
    asked: 0,
    names: [
      ["own", false],
      ["no-test-breaks", false],
    ],
  });
});
