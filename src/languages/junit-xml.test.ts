import { expect, test } from "vitest";
import { readJunitXml } from "./junit-xml.ts";

test("a failure in a suite inside other suites is read", () => {
  const failing = '<testcase name="owes"><failure message="3 != 4"/></testcase>';
  const inner = `<testsuite name="fees">${failing}</testsuite>`;
  const outer = `<testsuite name="all"><testcase name="adds"/>${inner}</testsuite>`;
  for (const text of [outer, `<testsuites>${outer}</testsuites>`]) {
    const cases = readJunitXml(text).flatMap((suite) => suite.cases);
    expect(cases.map(({ className, name, result }) => [className, name, result])).toEqual([
      ["all", "adds", "passed"],
      ["fees", "owes", "failure"],
    ]);
  }
});

test("a file that is cut off, or nested without end, is a suite with a problem", () => {
  const deep = `${"<testsuite>".repeat(100_000)}${"</testsuite>".repeat(100_000)}`;
  for (const text of ["", "<testsuite>", deep]) expect(readJunitXml(text)[0]?.problem).toBeTypeOf("string");
});
