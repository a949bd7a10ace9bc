/** No .NET SDK ran these: the reports are ours, in the published format of TRX and of MSBuild's errors. */

import { describe, expect, test } from "vitest";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ProjectView } from "../contract.ts";
import { nothingReceived } from "../report-frames.ts";
import dotnet from "./dotnet-test.ts";

const methods = ["Light", "Heavy", "Unknown", "Tomorrow"];
const results = `
  <UnitTestResult testId="1" testName="Shop.PricesTests.Light(grams: 1)" duration="00:00:00.0123456" outcome="Passed" />
  <UnitTestResult testId="1" testName="Shop.PricesTests.Light(grams: 1)" duration="00:00:01" outcome="Passed" />
  <UnitTestResult testId="2" testName="Heavy" duration="00:00:00.5" outcome="Failed"><Output><ErrorInfo>
    <Message>Assert.Equal() Failure: Values differ&#xD;
Expected: 651
Actual:   650</Message>
    <StackTrace>   at Shop.PricesTests.Heavy() in /repo/tests/PricesTests.cs:line 12
   at System.Reflection.MethodBaseInvoker.InvokeWithNoArgs(Object obj, BindingFlags invokeAttr)</StackTrace>
  </ErrorInfo></Output></UnitTestResult>
  <UnitTestResult testId="3" testName="Shop.PricesTests.Unknown" outcome="Failed"><Output><ErrorInfo>
    <Message>System.ArgumentException : no price for 'crate'</Message>
    <StackTrace>   at Shop.Prices.Of(String kind) in /repo/src/Prices.cs:line 7
   at Shop.PricesTests.Unknown() in /repo/tests/PricesTests.cs:line 16</StackTrace>
  </ErrorInfo></Output></UnitTestResult>
  <UnitTestResult testId="4" testName="Shop.PricesTests.Tomorrow" outcome="NotExecuted" />`;

function trx(content: string, total: number, summary = "Failed"): string {
  const definitions = methods.map(
    (name, at) =>
      `<UnitTest name="${name}" storage="/repo/tests/bin/debug/net8.0/shop.tests.dll" id="${at + 1}"><TestMethod codeBase="/repo/tests/bin/Debug/net8.0/Shop.Tests.dll" className="Shop.PricesTests" name="${name}" /></UnitTest>`,
  );
  return `\uFEFF<?xml version="1.0" encoding="utf-8"?>
<TestRun id="0" xmlns="http://microsoft.com/schemas/VisualStudio/TeamTest/2010">
<Results>${content}</Results><TestDefinitions>${definitions.join("")}</TestDefinitions>
<ResultSummary outcome="${summary}"><Counters total="${total}" /><RunInfos><RunInfo><Text>a test hangs</Text></RunInfo></RunInfos></ResultSummary>
</TestRun>`;
}

function parse(reports: Record<string, string>, exitCode: number | null = 1, stdout = "") {
  const files = new Map(Object.entries(reports).map(([name, text]) => [name, Buffer.from(text)]));
  return dotnet.parse({ received: nothingReceived, files, stdout, stderr: "", exitCode, root: "/repo" });
}

describe("parse", () => {
  test("reads statuses, durations, messages and frames", () => {
    const { outcomes, invalid } = parse({ "millwright_net8.0.trx": trx(results, 5) });
    expect(invalid).toBeUndefined();
    expect(Object.fromEntries(outcomes.map((one) => [formatTestKey(one.key), one.status]))).toEqual({
      "shop.tests/Shop.PricesTests::Light(grams: 1)": "passed",
      "shop.tests/Shop.PricesTests::Light(grams: 1) #2": "passed",
      "shop.tests/Shop.PricesTests::Heavy": "failed",
      "shop.tests/Shop.PricesTests::Unknown": "failed",
      "shop.tests/Shop.PricesTests::Tomorrow": "skipped",
    });
    expect(outcomes.slice(0, 3).map((one) => one.durationMs)).toEqual([12, 1000, 500]);
    expect(outcomes[2]?.failure).toMatchObject({
      type: "AssertionError",
      frames: [{ file: "tests/PricesTests.cs", line: 12 }],
    });
    expect(outcomes[3]?.failure).toMatchObject({
      type: "ArgumentException",
      message: "no price for 'crate'",
      frames: [
        { file: "tests/PricesTests.cs", line: 16, function: "Shop.PricesTests.Unknown" },
        { file: "src/Prices.cs", line: 7, function: "Shop.Prices.Of" },
      ],
    });
  });

  test("a project that does not build is a target that failed", () => {
    const said =
      "/repo/src/Prices.cs(3,9): error CS1002: ; expected [/repo/tests/Shop.Tests.csproj]\n".repeat(2);
    expect(parse({}, 1, said)).toMatchObject({
      invalid: undefined,
      outcomes: [
        {
          key: { package: "Shop.Tests", target: "src/Prices.cs", name: "" },
          status: "errored",
          failure: { message: "CS1002: ; expected" },
        },
      ],
    });
  });

  test.each([
    ["is cut off", { "a.trx": trx(results, 5).slice(0, 900) }, 1, /^a\.trx: /],
    ["has fewer tests than it says", { "a.trx": trx(results, 6) }, 1, /it announces 6 tests, but has 5/],
    ["was aborted", { "a.trx": trx(results, 5, "Aborted") }, 1, /aborted: a test hangs/],
    ["contradicts the exit code", { "a.trx": trx(results, 5) }, 0, /exit code 0/],
    ["is not there", {}, 0, /no test ran/],
  ])("does not trust a report that %s", (_, reports: Record<string, string>, exitCode, expected) => {
    expect(parse(reports, exitCode).invalid).toMatch(expected);
  });
});

test("finds the solution, and what a workflow says", () => {
  const texts: Record<string, string> = {
    "Shop.sln": "",
    "src/Shop.csproj": "<Project />",
    "tests/Shop.Tests.csproj": '<PackageReference Include="Microsoft.NET.Test.Sdk" />',
    ".github/workflows/ci.yml":
      "jobs:\n  test:\n    steps:\n      - run: dotnet test Shop.sln -c Release --no-build --logger trx -v q\n",
  };
  const view: ProjectView = {
    files: Object.keys(texts),
    read: (path) => texts[path],
    exists: (path) => path in texts,
  };
  expect(dotnet.detect(view).map((one) => one.command)).toEqual([
    "dotnet test Shop.sln -c Release",
    "dotnet test Shop.sln",
  ]);
  expect(dotnet.detect({ ...view, files: ["src/Shop.csproj"] })).toEqual([]);
});

test("selects by full name, without arguments of a case", () => {
  const command = dotnet.recognise("dotnet test --filter Category=Fast");
  if (command === undefined) throw new Error("not recognised");
  const { run } = dotnet.invoke({
    command,
    selection: {
      kind: "tests",
      tests: [{ package: "p", target: "Shop.PricesTests", name: "Light(grams: 1) #2" }],
    },
    coverage: false,
    testTimeoutMs: 1500,
    stopAtFirstFailure: false,
    paths: { root: "/repo", runtime: "/runtime", report: "/report", channel: "/channel" },
    project: { files: [], read: () => undefined, exists: () => false },
  });
  expect(run.slice(-2)).toEqual(["--filter", "FullyQualifiedName=Shop.PricesTests.Light"]);
  expect(run).not.toContain("Category=Fast");
  expect(run).toContain("2s");
});
