import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { TestOutcome, TestStatus } from "../../domain/test-outcome.ts";
import type { TestCommand, TestFramework } from "../../languages/contract.ts";
import { openRecorder } from "../record/recorder.ts";
import type { ExecutorRequest, TestExecutor } from "../suite.ts";
import { measureSuite, testTimeoutOf } from "./measure-suite.ts";

function took(status: TestStatus, durationMs: number): TestOutcome {
  return { key: { package: "", target: "test_a.py", name: `test_${durationMs}` }, status, durationMs };
}

test.each([
  ["at least a second", [took("passed", 20)], 1_000],
  ["five times the slowest that passes", [took("passed", 20), took("passed", 700)], 3_500],
  ["five times the slowest that fails: it may run as long when it passes", [took("failed", 900)], 4_500],
  ["no more than ten seconds for one that fails late", [took("errored", 60_000)], 10_000],
  ["twice a very slow one that passes", [took("passed", 28_000), took("failed", 900)], 56_000],
  ["nothing from one that met a limit", [took("timed-out", 10_000)], 1_000],
])("the limit of a test is %s", (_, outcomes, limit) => {
  expect(testTimeoutOf({ outcomes })).toBe(limit);
});

test("the user's limit of a test is never passed", () => {
  expect(testTimeoutOf({ outcomes: [took("failed", 2_000)], testTimeoutMs: 1_500 })).toBe(1_500);
});

/** Looks for a test command in five seconds. `loads`: milliseconds until a command's first test ends. */
async function chooseCommand(loads: Readonly<Record<string, number>>): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), "millwright-suite-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const recorder = await openRecorder(directory, () => {});
  const frameworks = Object.keys(loads).map((name, at) =>
    partOf<TestFramework>({
      ...{ name, language: "python", builds: name === "make" },
      detect: (): TestCommand[] => [
        { framework: name, directory: "", command: name, foundBy: "", likelihood: 0.9 - at / 10 },
      ],
    }),
  );
  const executor = partOf<TestExecutor>({
    project: { files: [], read: () => undefined, exists: () => false },
    async run({ command }: TestCommand, { timeoutMs }: ExecutorRequest) {
      const isCut = timeoutMs < (loads[command] ?? 0);
      const outcomes = isCut ? [] : [took("passed", 1)];
      const report = { outcomes, coverage: new Map(), invalid: isCut ? "no report" : undefined };
      return {
        ...{ report, end: isCut ? "timed-out" : "exited", exitCode: 0, output: "" },
        durationMs: isCut ? timeoutMs : 1,
      };
    },
  });
  const limits = { remainingMs: () => 240_000 };
  const suite = await measureSuite(
    partOf({
      ...{ recorder, limits, frameworks },
      ...{ workspace: { base: "b" }, task: { statement: "" } },
    }),
    executor,
    { timeMs: 5_000, longestMs: 60_000 },
  );
  recorder.close();
  return suite.ok ? suite.value.command.command : suite.message;
}

test("a likelier command that loads slowly is tried again before a command that builds", async () => {
  expect(await chooseCommand({ pytest: 30_000, make: 30_000 })).toBe("pytest");
  expect(await chooseCommand({ make: 30_000, pytest: 30_000 })).toBe("make");
});
