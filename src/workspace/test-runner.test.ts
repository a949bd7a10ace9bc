import { expect, test } from "vitest";
import type { TestOutcome } from "../domain/test-outcome.ts";
import type { TestFramework } from "../languages/contract.ts";
import ctest from "../languages/cpp/ctest.ts";
import dotnet from "../languages/csharp/dotnet-test.ts";
import { nothingReceived } from "../languages/report-frames.ts";
import command from "../languages/shell/command.ts";
import { addMissing, readExecution } from "./test-runner.ts";

const outcome = (target: string, name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  key: { package: "", target, name },
  status,
  durationMs: 1,
});
const said = (outcomes: readonly TestOutcome[]): string[] =>
  outcomes.map(({ key, status }) => `${key.target}:${key.name} ${status}`);

test("each test that was asked for has an answer; a target that was asked for as a whole has those of its tests", () => {
  const whole = { package: "", target: "tests/a.rs", name: "" };
  const one = { package: "", target: "tests/b.rs", name: "one" };
  const selection = { kind: "tests", tests: [whole, one] } as const;
  const others = [outcome("tests/b.rs", "two"), outcome("tests/b.rs", "three", "failed")];
  expect(said(addMissing([outcome("tests/a.rs", "works"), ...others], selection))).toEqual([
    "tests/a.rs:works passed",
    "tests/b.rs:three failed",
    "tests/b.rs:one not-run",
  ]);
  expect(said(addMissing([outcome("tests/a.rs", "", "errored")], selection))).toEqual([
    "tests/a.rs: errored",
    "tests/b.rs:one not-run",
  ]);
  expect(said(addMissing([], selection))).toEqual(["tests/a.rs: not-run", "tests/b.rs:one not-run"]);
});

test("a report that its parser cannot read is invalid", () => {
  const files = new Map([["build-status", Buffer.from("0\n")]]);
  const output = { stdout: "@@tests AAAA\n", stderr: "", exitCode: 0 };
  const execution = {
    received: nothingReceived,
    files,
    ...output,
    end: "exited",
    durationMs: 1,
  } as const;
  const read = { framework: ctest, selection: { kind: "all" }, testTimeoutMs: 1000, root: "/r" } as const;
  expect(readExecution(execution, read).report).toMatchObject({
    outcomes: [],
    invalid: expect.stringContaining("the report cannot be read"),
  });
});

const readFiles = (framework: TestFramework, files: Readonly<Record<string, string>>, exitCode: number) => {
  const contents = Object.entries(files).map(([name, text]) => [name, Buffer.from(text)] as const);
  const execution = {
    received: nothingReceived,
    files: new Map(contents),
    ...{ stdout: "", stderr: "", exitCode, durationMs: 1 },
    end: "exited",
  } as const;
  const read = { framework, selection: { kind: "all" }, testTimeoutMs: 1000, root: "/r" } as const;
  return readExecution(execution, read).report;
};

const junit = (inner: string): string =>
  `<testsuite name="s"><testcase classname="sum" name="adds">${inner}</testcase></testsuite>`;
const trx = (outcome: string): string => `<TestRun>
<Results><UnitTestResult testId="1" testName="Shop.Sum.adds" outcome="${outcome}" /></Results>
<TestDefinitions><UnitTest id="1" storage="shop.dll"><TestMethod className="Shop.Sum" name="adds" /></UnitTest></TestDefinitions>
</TestRun>`;
test.each<[string, TestFramework, Readonly<Record<string, string>>]>([
  ["JUnit files", command, { "junit-1.xml": junit("<failure/>"), "junit-2.xml": junit("") }],
  ["JUnit files", command, { "junit-1.xml": junit(""), "junit-2.xml": junit("<failure/>") }],
  ["platforms", dotnet, { "net6.0.trx": trx("Failed"), "net8.0.trx": trx("Passed") }],
  ["platforms", dotnet, { "net6.0.trx": trx("Passed"), "net8.0.trx": trx("Failed") }],
  ["printed results", command, { output: "1..2\nnot ok 1 - a\nok 2 - a\n" }],
  ["printed results", command, { output: "1..2\nok 1 - a\nnot ok 2 - a\n" }],
])("a test in two %s fails if it fails in one of them", (_, framework, files) => {
  const report = readFiles(framework, files, 1);
  expect(report.invalid).toBeUndefined();
  expect(report.outcomes.map(({ status }) => status)).toEqual(["failed"]);
});

test("a test that one program skips has the result of the other", () => {
  const files = { "junit-1.xml": junit("<skipped/>"), "junit-2.xml": junit("") };
  expect(said(readFiles(command, files, 0).outcomes)).toEqual([
    "command:sum > adds passed",
    "command:ends with exit code 0 passed",
  ]);
});
