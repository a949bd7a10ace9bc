import { expect, test } from "vitest";
import { readTrx } from "./trx-report.ts";

const reportOf = (message: string): string =>
  `<TestRun><Results><UnitTestResult testId="1" testName="a" outcome="Failed"><Output><ErrorInfo><Message>${message}</Message></ErrorInfo></Output></UnitTestResult></Results><TestDefinitions><UnitTest name="a" storage="/a.dll" id="1"><TestMethod className="A" name="a" /></UnitTest></TestDefinitions></TestRun>`;

test("a report with a very long name of an exception is read in time", () => {
  const started = performance.now();
  const { outcomes } = readTrx(reportOf(`${"Expectation".repeat(3_000)}Error : x`), "/");
  expect(performance.now() - started).toBeLessThan(2_000);
  expect(outcomes).toMatchObject([{ status: "failed" }]);
});

test.each([
  ["Xunit.EqualException", "AssertionError"],
  ["Shouldly.ShouldAssertException", "AssertionError"],
  ["System.ArgumentException", "ArgumentException"],
])("%s is of the type %s", (name, type) => {
  expect(readTrx(reportOf(`${name} : x`), "/").outcomes).toMatchObject([{ failure: { type } }]);
});
