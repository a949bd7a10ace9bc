/** A patch that brings its own configuration of the tests: the base's judges, and the report says so. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});

const plugin = `import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    report.outcome, report.longrepr = "passed", None
`;

test("a patch whose tests pass by its own plugin alone is not verified", async () => {
  const end = await solveScripted(playground, {
    strategy: "react",
    statement:
      "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised",
    repository: playground.copyRepository("repair-python"),
    args: ["--test-command", "python3 -m pytest"],
    answers: [
      use("create", { path: "pytest.ini", text: "[pytest]\naddopts = -p ledger.steady\n" }),
      use("create", { path: "ledger/steady.py", text: plugin }),
      use("submit", { summary: "A steadier run of the tests" }),
      // Whoever hears that it is not verified has nothing better.
      { ...use("submit", { summary: "A steadier run of the tests" }), times: "always" },
    ],
  });
  expect(end.exitCode, end.stderr).toBe(10);
  const { report } = end;
  expect(report.outcome).toBe("unverified");
  expect(report.patch).toContain("pytest.ini");
  expect(report.gate).toContainEqual({
    predicate: "base-configuration-judges",
    holds: false,
    evidence:
      "the patch changes how tests are found, run or reported (pytest.ini); its tests pass with its own configuration, but not all other conditions hold with the base's",
  });
});
