import { expect, test } from "vitest";
import { madeCall, madeProcess } from "../../tests/trace-calls.ts";
import { findFailedTests } from "./failed-tests.ts";

const made = (...tests: readonly string[]) => [madeProcess(tests.map((test) => madeCall("f", { test })))];

test.each([
  ["pytest", "tests/a.py::test_a", "tests/a.py::test_ab", "FAILED tests/a.py::test_a - assert 1 == 2"],
  ["pytest with parameters", "a.py::test_a[1]", "a.py::test_a", "FAILED a.py::test_a[1] - ValueError"],
  ["unittest", "Own.test_own", "Own.test_other", "FAIL: test_own (app.Own.test_own)"],
  ["an older unittest", "Own.test_own", "Own.test_other", "ERROR: test_own (app.Own)"],
  ["cargo", "tests::parses", "tests::parses_two", "test tests::parses ... FAILED"],
  ["go", "TestParse", "TestParseAll", "--- FAIL: TestParse (0.00s)"],
  ["vitest", "suite > name", "suite > other", " \u001b[31m×\u001b[39m a.test.ts > suite > name 3ms"],
  ["jest", "suite name", "suite other", "  ● suite › name"],
  ["node:test", "adds", "takes", "✖ adds (0.5ms)"],
  ["mocha", "adds", "takes", "  1) adds"],
])("%s tells which test failed", (_runner, failed, passed, line) => {
  const output = `running\n${passed} ok\n${line}\ndone\n`;
  expect(findFailedTests(made(failed, passed, failed), output)).toEqual([failed]);
});

test("no test failed where no line is marked", () => {
  expect(findFailedTests(made("tests::parses"), "test tests::parses ... ok\n")).toEqual([]);
});
