import { describe, expect, test } from "vitest";
import { formatTestKey } from "../domain/test-outcome.ts";
import type { TestReport } from "./contract.ts";
import type { ReportStream } from "./report-frames.ts";
import { crashType, parseReportLines, type ReportEvent } from "./report-lines.ts";

const key = (name: string) => ({ package: "", target: "a.py", name });
const started: ReportEvent = { event: "run-started", framework: "pytest" };
const found: ReportEvent = { event: "tests-found", tests: [key("one"), key("two")] };
const begin = (name: string): ReportEvent => ({ event: "test-started", test: key(name) });
const passed = (name: string): ReportEvent => ({
  event: "test-ended",
  test: key(name),
  status: "passed",
  durationMs: 1,
});
const failure = { type: "ValueError", message: "no", frames: [{ file: "a.py", line: 3 }], text: "no" };
const failed = (name: string): ReportEvent => ({
  event: "test-ended",
  test: key(name),
  status: "failed",
  durationMs: 1,
  failure,
});
const ended = (counts: Record<string, number>): ReportEvent => ({ event: "run-ended", counts });

const said = { files: new Map(), stdout: "", stderr: "some words", root: "/repository" };

function textOf(lines: readonly (ReportEvent | string)[]): Buffer {
  return Buffer.from(
    lines.map((line) => (typeof line === "string" ? line : `${JSON.stringify(line)}\n`)).join(""),
  );
}

function parse(lines: readonly (ReportEvent | string)[], exitCode: number | null = 0): TestReport {
  const streams = [{ name: "report", origin: "keyed", lines: textOf(lines) } as const];
  return parseReportLines({ ...said, received: { streams, problem: undefined }, exitCode });
}

function statuses(report: TestReport): Record<string, string> {
  return Object.fromEntries(report.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome.status]));
}

describe("parseReportLines", () => {
  test("a target that was asked as a whole is its tests once these are known, and its failure where it is not built", () => {
    const asked: ReportEvent = { event: "tests-found", tests: [key(""), key("one")] };
    const unbuilt: ReportEvent = { event: "target-failed", package: "", target: "a.py", failure };
    expect(statuses(parse([started, asked, passed("one"), ended({ passed: 1 })]))).toEqual({
      "a.py::one": "passed",
    });
    expect(statuses(parse([started, asked, unbuilt, ended({})], 1))).toEqual({
      "a.py::": "errored",
      "a.py::one": "failed",
    });
  });

  test("takes a whole report that its exit code agrees with", () => {
    const report = parse([started, found, passed("one"), failed("two"), ended({ passed: 1, failed: 1 })], 1);
    expect(report.invalid).toBeUndefined();
    expect(statuses(report)).toEqual({ "a.py::one": "passed", "a.py::two": "failed" });
    expect(report.outcomes[1]?.failure).toEqual(failure);
  });

  test("tells what changed the framework, each once, whoever says it", () => {
    const changes = (...names: string[]): ReportEvent => ({ event: "framework-changed", changes: names });
    const lines = [started, found, changes("b"), passed("one"), changes("a", "b"), passed("two")];
    const report = parse([...lines, ended({ passed: 2 })]);
    expect(report).toMatchObject({ invalid: undefined, frameworkChanges: ["a", "b"] });
    expect(parse([started, found, passed("one"), passed("two"), ended({ passed: 2 })])).not.toHaveProperty(
      "frameworkChanges",
    );
  });

  test("a run that died fails the test it was in, and says what was not reached", () => {
    const lines = [started, found, begin("one"), passed("one"), begin("two"), '{"event":"test-en'];
    const report = parse([...lines, ""], null);
    expect(statuses(report)).toEqual({ "a.py::one": "passed", "a.py::two": "failed" });
    expect(report.outcomes[1]?.failure?.type).toBe(crashType);
    expect(report.invalid).toMatch(/cut off.*killed/);
    expect(statuses(parse([started, found, begin("one")], 9))["a.py::two"]).toBe("not-run");
  });

  test.each([
    ["exit code 0 with a failure", [started, failed("one"), ended({ failed: 1 })], 0, /exit code 0/],
    ["exit code 1 without", [started, passed("one"), ended({ passed: 1 })], 1, /exit code 1.*some words/],
    ["nothing reported", [], 1, /reported nothing.*some words/],
    ["no test", [started, ended({})], 5, /no test ran/],
    ["only tests that were not run", [started, found, ended({})], 0, /no test ran/],
    ["killed after the end", [started, passed("one"), ended({ passed: 1 })], null, /killed/],
    [
      "a line that is none",
      [started, "hello\n", passed("one"), ended({ passed: 1 })],
      0,
      /line 2 of .* is not a report line/,
    ],
    [
      "a line of another shape",
      [started, '{"event":"test-ended"}\n', ended({})],
      0,
      /line 2 of .* is not a report line/,
    ],
    [
      "a line after the end",
      [started, passed("one"), ended({ passed: 1 }), passed("two")],
      0,
      /after the end/,
    ],
    [
      "other counts",
      [started, passed("one"), passed("two"), ended({ passed: 1 })],
      0,
      /differ from the totals/,
    ],
    ["a test twice", [started, failed("one"), passed("one"), ended({ passed: 1, failed: 1 })], 0, /twice/],
  ] as const)("does not trust %s", (_, lines, exitCode, reason) => {
    expect(parse(lines, exitCode).invalid?.replaceAll("\n", " ")).toMatch(reason);
  });

  test("a target that does not load fails its tests, or stands for them where none is known", () => {
    const broken: ReportEvent = { event: "target-failed", package: "", target: "a.py", failure };
    expect(statuses(parse([started, found, broken, ended({})], 2))).toEqual({
      "a.py::one": "failed",
      "a.py::two": "failed",
    });
    const alone = parse([started, broken, ended({})], 2);
    expect(statuses(alone)).toEqual({ "a.py::": "errored" });
    expect(alone.invalid).toBeUndefined();
  });

  test("joins the coverage of several processes by test, and of a load by target", () => {
    const cover = (test: string | null, lines: string): ReportStream => ({
      name: "coverage",
      origin: "open",
      lines: textOf([
        {
          event: "coverage",
          test: test === null ? null : key(test),
          target: "a.py",
          lines: { "b.py": lines },
        },
      ]),
    });
    const streams = [cover("one", "3-5,9"), cover("one", "1,4-6"), cover(null, "1")];
    const report = parseReportLines({ ...said, received: { streams, problem: undefined }, exitCode: 0 });
    expect(report.coverage.get("a.py::one")).toEqual({ "b.py": [1, 3, 4, 5, 6, 9] });
    expect(report.coverage.get("a.py::")).toEqual({ "b.py": [1] });
  });

  test("of what anybody may have written, nothing makes a test pass", () => {
    const withOpen = (...lines: ReportEvent[]): TestReport => {
      const streams: ReportStream[] = [
        {
          name: "ours",
          origin: "keyed",
          lines: textOf([started, found, passed("one"), ended({ passed: 1 })]),
        },
        { name: "theirs", origin: "open", lines: textOf(lines) },
      ];
      return parseReportLines({ ...said, received: { streams, problem: undefined }, exitCode: 0 });
    };
    expect(withOpen(found, begin("one")).invalid).toBeUndefined();
    expect(statuses(withOpen(failed("two")))["a.py::two"]).toBe("failed");
    for (const line of [passed("two"), started, ended({})]) {
      const report = withOpen(line);
      expect(report.invalid).toMatch(/only Millwright's reporter may write/);
      expect(statuses(report)["a.py::two"]).toBe("not-run");
    }
  });

  test("a channel that something else wrote into is not believed", () => {
    const streams = [
      {
        name: "ours",
        origin: "keyed",
        lines: textOf([started, passed("one"), ended({ passed: 1 })]),
      } as const,
    ];
    const report = parseReportLines({
      ...said,
      received: { streams, problem: "a frame is missing" },
      exitCode: 0,
    });
    expect(report.invalid).toMatch(/a frame is missing/);
  });
});
