import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { solveReportSchema } from "../../src/domain/solve-report.ts";
import { replaceIn } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

async function solve(repository: string, ...args: string[]) {
  const { ended } = playground.start(["solve", "--repo", repository, "--output", "json", ...args]);
  const end = await ended;
  const report = solveReportSchema.parse(JSON.parse(end.stdout));
  return {
    report,
    exitCode: end.exitCode,
    markdown: readFileSync(join(report.runDirectory, "report.md"), "utf8"),
  };
}

test("two faults are repaired, a test of both included, and told apart", async () => {
  const repository = playground.copyRepository("several-faults-javascript");
  const { report, exitCode, markdown } = await solve(repository);
  expect(report).toMatchObject({ outcome: "verified", files: [{ path: "basket.js" }] });
  expect(exitCode).toBe(0);
  expect(report.reason).toContain(
    "The 3 failing tests pass with the patch, which repairs 2 independent faults",
  );
  expect(report.patch).toMatch(/\+ +result \+= price/);
  expect(report.patch).toMatch(/\+ +if \(?price <=? best/);
  expect(report.remarks).toContainEqual(expect.stringMatching(/^Fault 1: .* makes .* pass\.$/));
  expect(report.remarks).toContainEqual(expect.stringMatching(/^Fault 2: .* makes .* pass\.$/));
  expect(markdown).toContain("Fault 2:");
});

test("three faults are repaired, in Python", async () => {
  const repository = playground.copyRepository("several-faults-python");
  replaceIn(repository, "basket.py", "start = number * size", "start = number + size");
  const { report } = await solve(repository);
  // What so few tests are worth as evidence is for another predicate to say.
  for (const predicate of ["failing-tests-pass", "no-test-breaks", "tests-intact", "confirmed-afresh"])
    expect(report.gate).toContainEqual(expect.objectContaining({ predicate, holds: true }));
  expect(report.remarks).toContainEqual(expect.stringMatching(/^Fault 3: .* makes .* pass\.$/));
  expect(report.patch).toContain("+    start = number * size");
});

test("10: what cannot be repaired holds nothing back, and --apply-partial takes the rest", async () => {
  const repository = playground.copyRepository("two-faults-python");
  const { report, exitCode } = await solve(repository, "--apply-partial");
  expect(exitCode).toBe(10);
  const reason = expect.stringContaining("repairs 1 of 2 failing tests and breaks no other test");
  expect(report).toMatchObject({ outcome: "unverified", reason });
  expect(report.remarks).toContainEqual(expect.stringMatching(/^Fault 1: .*test_the_newest_stands_last/));
  expect(report.remarks).toContainEqual(expect.stringMatching(/^Not repaired: .*test_the_motto_is_whole/));
  expect(readFileSync(join(repository, "shelf.py"), "utf8")).not.toContain("titles[len(titles)]");
});
