import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import type { ExecutorRequest, TestExecutor } from "../../agent/suite.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import { runSuite } from "./funnel.ts";

const outcome = (status: TestStatus): TestOutcome => ({
  key: { package: "", target: "a.py", name: "old" },
  status,
  durationMs: 1,
});

test.each<[string, TestStatus, TestStatus, TestStatus]>([
  ["fails again among all others is broken", "failed", "failed", "failed"],
  ["passes among all others the second time is flaky", "failed", "passed", "passed"],
  ["exceeded our limit needs only more time", "timed-out", "failed", "passed"],
])("a test that passes alone and %s", async (_, first, second, status) => {
  const whole = [first, second];
  const run = async (_command: unknown, { selection }: ExecutorRequest): Promise<TestRun> => {
    const said = selection.kind === "all" ? (whole.shift() ?? "passed") : "passed";
    return partOf<TestRun>({ report: { outcomes: [outcome(said)] }, end: "exited", durationMs: 1 });
  };
  const baseline = partOf<Baseline>({ outcomes: [outcome("passed")], targets: [], durationMs: 1 });
  const context = { limits: partOf<Parameters<typeof runSuite>[0]["limits"]>({ remainingMs: () => 60_000 }) };
  const { outcomes } = await runSuite(context, partOf<TestExecutor>({ run }), baseline, "t");
  expect(outcomes.map((each) => each.status)).toEqual([status]);
});
