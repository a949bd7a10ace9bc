import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestKey, TestStatus } from "../../domain/test-outcome.ts";
import type { TestFramework } from "../../languages/contract.ts";
import type { TreeStore } from "../../workspace/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { ExecutorRequest, TestExecutor } from "../suite.ts";
import { judgeCanary, measureRound, placeFirst } from "./confirming-round.ts";

const keyOf = (name: string): TestKey => ({ package: "", target: "t.py", name });
const [target, fails, passes] = [keyOf("target"), keyOf("fails"), keyOf("passes")];

type Ran = readonly [TestRun["end"], ...TestStatus[]];

/** Runs a round on an executor with these results in turn. Returns the canary, and each time limit as a factor. */
async function measure(...runs: readonly Ran[]) {
  const { canary, factors } = await measureSide(false, runs);
  return { canary, factors };
}

async function measureSide(patched: boolean, runs: readonly Ran[]) {
  const limits: number[] = [];
  const run = async (_: unknown, { testTimeoutMs = 0 }: ExecutorRequest): Promise<TestRun> => {
    const [end, ...statuses] = runs[limits.length] ?? ["exited"];
    limits.push(testTimeoutMs);
    const outcomes = [target, fails, passes].flatMap((key, at) => {
      const status = statuses[at];
      return status === undefined ? [] : [{ key, status, durationMs: 1 }];
    });
    return partOf<TestRun>({ end, report: { outcomes } });
  };
  const trees = partOf<TreeStore>({ list: async () => [], write: async () => "laid" });
  const framework = partOf<TestFramework>({
    canary: async () => ({ file: { path: "c.py", content: "" }, fails, passes }),
  });
  const context = partOf<Parameters<typeof measureRound>[0]>({
    workspace: { trees },
    suite: { command: { command: "pytest" }, outcomes: [], durationMs: 1 },
  });
  const place = {
    executor: partOf<TestExecutor>({ run, damaged: () => [] }),
    framework,
    deadline: performance.now() + 60_000,
    words: { file: "a", fails: "b", passes: "c" },
  };
  const round = { tree: "base", patched, varied: false };
  const { run: measured } = await measureRound(context, { tests: [target] }, round, place);
  const factors = limits.map((each) => each / (limits[0] ?? 1));
  return { canary: measured.canary, factors, status: measured.outcomes[0]?.status };
}

test("canaries that a time limit ended run again with more time", async () => {
  const held: Ran = ["exited", "failed", "failed", "passed"];
  const late: Ran = ["exited", "failed", "timed-out", "passed"];
  expect(await measure(held)).toEqual({ canary: "held", factors: [1] });
  expect(await measure(late, held)).toEqual({ canary: "held", factors: [1, 4] });
  expect(await measure(["timed-out", "failed"], held)).toEqual({ canary: "held", factors: [1, 4] });
  expect(await measure(late, late, held)).toEqual({ canary: "late", factors: [1, 4] });
  // The fault itself is an endless loop, in the test or before it begins.
  expect(await measure(["timed-out", "timed-out"])).toEqual({ canary: "missing", factors: [1] });
  expect(await measure(["timed-out"])).toEqual({ canary: "missing", factors: [1] });
});

test("a repetition with more time gives a failing patch no second try, but a slow test its time", async () => {
  const held: Ran = ["exited", "passed", "failed", "passed"];
  expect(await measureSide(true, [["exited", "failed", "timed-out", "passed"], held])).toMatchObject({
    canary: "held",
    status: "failed",
  });
  const slow: Ran = ["exited", "timed-out", "failed", "passed"];
  expect(await measureSide(true, [slow, held])).toMatchObject({ status: "passed", factors: [1, 4] });
  expect(await measureSide(true, [slow, slow, held])).toMatchObject({ status: "timed-out" });
  expect(await measureSide(false, [slow, held])).toMatchObject({ status: "timed-out", factors: [1] });
});

test("a canary that passes although it must fail is wrong, whatever the other one does", () => {
  expect(judgeCanary("passed", "timed-out")).toBe("wrong");
  expect(judgeCanary("failed", "timed-out")).toBe("late");
  expect(judgeCanary("failed", "not-run")).toBe("broken");
});

test("a place is sought in each file of the tests, once", async () => {
  const tried: string[] = [];
  const tests = ["docs/a.rst", "docs/a.rst", "t.py", "u.py"].map((of) => ({ ...target, target: of }));
  const placed = await placeFirst(tests, async (beside) => {
    tried.push(beside.target);
    return beside.target.endsWith(".py") ? beside.target : undefined;
  });
  expect([placed, tried]).toEqual(["t.py", ["docs/a.rst", "t.py"]]);
});

test("a repetition with more time excuses no test that must fail and passed", async () => {
  const wrong: Ran = ["exited", "timed-out", "passed", "passed"];
  const held: Ran = ["exited", "passed", "failed", "passed"];
  expect(await measureSide(true, [wrong, held])).toMatchObject({ canary: "wrong", factors: [1] });
});
