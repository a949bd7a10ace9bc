import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { openRecorder } from "../record/recorder.ts";
import type { ExecutorRequest, TestExecutor } from "../suite.ts";
import { measureBaselineInTime } from "./baseline-in-time.ts";

const outcome = (name: string, status: TestOutcome["status"]): TestOutcome => ({
  ...{ key: { package: "", target: "test_a.py", name }, status, durationMs: 1 },
});

/** Runs on a suite of which the test `slowMs` ends after so many milliseconds, with four minutes left. */
async function measure(slowMs: number, before: readonly TestOutcome[], after: readonly TestOutcome[]) {
  const directory = mkdtempSync(join(tmpdir(), "millwright-baseline-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const recorder = await openRecorder(directory, () => {});
  const asked: string[] = [];
  const framework = partOf<TestFramework>({
    name: "f",
    detect: () => [],
    recognise: (command: string): TestCommand => ({
      ...{ framework: "f", directory: "", command, foundBy: "", likelihood: 1 },
    }),
  });
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run(_: TestCommand, { selection, timeoutMs }: ExecutorRequest) {
      asked.push(`${selection.kind} ${timeoutMs > 120_000 ? "longer" : "short"}`);
      const isCut = selection.kind === "all" && timeoutMs < slowMs;
      const all = isCut ? [...before, outcome("test_slow", "timed-out")] : [...before, ...after];
      const names = selection.kind === "tests" ? selection.tests.map(({ name }) => name) : undefined;
      const outcomes = all.filter(({ key }) => names?.includes(key.name) ?? true);
      const report = { outcomes, coverage: new Map(), invalid: undefined };
      const durationMs = isCut ? timeoutMs : 1;
      return { report, end: isCut ? "timed-out" : "exited", exitCode: 1, durationMs, output: "" };
    },
  });
  const limits = { remainingMs: () => 240_000 };
  const baseline = await measureBaselineInTime(
    partOf({
      ...{ recorder, limits, frameworks: [framework], testCommand: "run" },
      ...{ workspace: { base: "b", trees: { list: async () => [] } }, task: { statement: "" } },
    }),
    executor,
  );
  recorder.close();
  if (!baseline.ok) throw new Error(baseline.message);
  const { targets, isPart = false } = baseline.value;
  return { asked, targets: targets.map(({ key }) => key.name), isPart };
}

test("candidates keep most of the time: what had ended counts, and a test that our limit cut off is no fault", async () => {
  const ended = [outcome("test_pays", "passed"), outcome("test_owes", "failed")];
  expect(await measure(200_000, ended, [])).toEqual({
    asked: ["all short", "tests short"],
    targets: ["test_owes"],
    isPart: true,
  });
});

test("where the first share shows no failing test, a larger one does", async () => {
  const passed = [outcome("test_pays", "passed")];
  expect(await measure(100_000, passed, [outcome("test_owes", "failed")])).toEqual({
    asked: ["all short", "all longer", "tests short"],
    targets: ["test_owes"],
    isPart: false,
  });
});
