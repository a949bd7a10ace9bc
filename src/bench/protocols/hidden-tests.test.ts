import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import pytest from "../../languages/python/pytest.ts";
import type { GradedTask } from "../graded-task.ts";
import passAndFail from "../graders/pass-and-fail.ts";
import { protocolOf } from "./index.ts";

const task = partOf<GradedTask>({
  grader: passAndFail,
  hidden: partOf<GradedTask["hidden"]>({ lists: { failToPass: ["a.py::test_a"], passToPass: [] } }),
});

function runOf(stderr: string, exitCode: number, command = "python3 -m pytest") {
  const log = {
    ...{ selection: { kind: "all" as const }, testTimeoutMs: 1000, root: "/repo", end: "exited" as const },
    ...{ exitCode, durationMs: 1, stdout: "", stderr, received: { streams: [] }, files: {} },
  };
  return { framework: "pytest", command, executions: [log] };
}

async function judge(...run: Parameters<typeof runOf>) {
  const { verdict, official } = await protocolOf(passAndFail).judge(
    { restored: [], runs: { "hidden-tests": runOf(...run) } },
    task,
    [pytest],
  );
  return { outcome: verdict.outcome, reason: verdict.reason, official: official.outcome };
}

test.each([
  [
    "/usr/bin/python3: No module named pytest\n",
    1,
    "python3 -m pytest",
    "the module pytest is not installed",
  ],
  ["sh: 1: pytest: not found\n", 127, "pytest -q", "the program pytest is not on the PATH"],
])("tests that cannot start are no fault of the patch: %s", async (stderr, exitCode, command, why) => {
  expect(await judge(stderr, exitCode, command)).toEqual({
    outcome: "infrastructure-error",
    reason: `the tests cannot start: ${why}`,
    official: "unresolved",
  });
});

test("tests that a patch keeps from loading are its fault", async () => {
  const said = "ImportError while loading conftest: No module named 'prices'\n";
  expect((await judge(said, 4)).outcome).toBe("unresolved");
  expect((await judge("sh: 1: lsb_release: not found\nSyntaxError\n", 4)).outcome).toBe("unresolved");
});

test("a patch that does not fit has the verdict of the harness's current version, and names another one", async () => {
  const runs = { "swe-bench-4": runOf("a failure", 1) };
  const rejected = "the patch does not apply to the base: line 3";
  const { verdict, official } = await protocolOf(passAndFail).judge({ restored: [], rejected, runs }, task, [
    pytest,
  ]);
  expect(verdict).toMatchObject({
    outcome: "agent-error",
    reason: `${rejected}; by swe-bench-4 it is unresolved`,
  });
  expect(official.outcome).toBe("agent-error");
});
