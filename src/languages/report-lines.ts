/**
 * The format that all our reporters in `runtime/` write: JSON Lines, sent through the run's channel
 * (`report-frames.ts`), with one stream per process. Reporters send each line immediately, so that a killed run keeps
 * its finished results. In a batch, each candidate has `*.jsonl` files in the report folder instead. A batch only
 * selects candidates, and Millwright runs its best candidate again alone.
 */
import { z } from "zod";
import {
  type CoveredLines,
  formatTestKey,
  isFailing,
  type TestFailure,
  type TestKey,
  type TestOutcome,
  testFailureSchema,
  testKeySchema,
  testStatusSchema,
} from "../domain/test-outcome.ts";
import type { ReportRequest, TestReport } from "./contract.ts";
import type { ReportStream } from "./report-frames.ts";

/**
 * Line numbers and inclusive ranges, ascending: `3-9,12`. Ranges only hold executed lines, so blank lines split them.
 */
const lineRangesSchema = z.string().regex(/^[1-9]\d*(-[1-9]\d*)?(,[1-9]\d*(-[1-9]\d*)?)*$/);

export const reportEventSchema = z.discriminatedUnion("event", [
  /**
   * First line of a process that runs tests; its stream must end with `run-ended`. Files with only coverage need
   * neither.
   */
  z.object({ event: z.literal("run-started"), framework: z.string() }),
  /**
   * Tests that this process will run or was asked for; one that is never reported is `not-run`. May be repeated. `of`:
   * the number of all selected tests, if this process runs only a share.
   */
  z.object({
    event: z.literal("tests-found"),
    tests: z.array(testKeySchema),
    of: z.int().nonnegative().optional(),
  }),
  z.object({ event: z.literal("test-started"), test: testKeySchema }),
  /** Sent once per test, after its tear-down. For a skipped test, the line `test-started` may be missing. */
  z.object({
    event: z.literal("test-ended"),
    test: testKeySchema,
    status: testStatusSchema,
    durationMs: z.number().nonnegative(),
    failure: testFailureSchema.optional(),
  }),
  /**
   * Lines that a test executed or, if `test` is null, that ran while a target was loaded. `target` is "" for lines that
   * ran before any target. A module is loaded once, so its lines belong to the test or target that loaded it first.
   */
  z.object({
    event: z.literal("coverage"),
    test: testKeySchema.nullable(),
    package: z.string().optional(),
    target: z.string().optional(),
    lines: z.record(z.string(), lineRangesSchema),
  }),
  /**
   * Changes that the run's code made in the test framework's memory, in words that are the same in each run. A project
   * may make such changes itself. A comparison with a run without the patch shows the patch's changes. Sent again at
   * each new change.
   */
  z.object({ event: z.literal("framework-changed"), changes: z.array(z.string().max(1000)).max(1000) }),
  /** A target that did not load or build; all its known tests count as failed. */
  z.object({
    event: z.literal("target-failed"),
    package: z.string(),
    target: z.string(),
    failure: testFailureSchema,
  }),
  /** Last line: the number of `test-ended` lines in this stream, by status. */
  z.object({
    event: z.literal("run-ended"),
    counts: z.partialRecord(testStatusSchema, z.int().nonnegative()),
  }),
]);
export type ReportEvent = z.infer<typeof reportEventSchema>;

/** Returns the key of a whole target: for a failure to load it, and for lines that ran while it loaded. */
export function targetKey(target: { readonly package: string; readonly target: string }): TestKey {
  return { package: target.package, target: target.target, name: "" };
}

interface Reading {
  readonly found: Map<string, TestKey>;
  readonly ended: Map<string, TestOutcome>;
  /** Tests that had started but not ended when their process ended. */
  readonly interrupted: Map<string, TestKey>;
  readonly failedTargets: Map<string, { key: TestKey; failure: TestFailure }>;
  readonly coverage: Map<string, CoveredLines>;
  readonly frameworkChanges: Set<string>;
  readonly problems: string[];
  /** The number of streams that ended early. */
  cutOff: number;
  runs: number;
  /** The number of all selected tests; undefined without a share. */
  of: number | undefined;
}

/**
 * Converts the channel's data to a report. Even if `invalid` is set, the report has the known outcomes. Tests that were
 * running when the process died fail with type `Crash`. Tests that did not start are not-run.
 */
export function parseReportLines(request: ReportRequest): TestReport {
  const { streams, problem } = request.received;
  return readStreams(request, streams, problem === undefined ? [] : [problem]);
}

/** Parses the report folder's `*.jsonl` files, which the code under test can change. */
export function parseReportFiles(request: Omit<ReportRequest, "received">): TestReport {
  const files = [...request.files].filter(([name]) => name.endsWith(".jsonl")).sort();
  return readStreams(
    request,
    files.map(([name, lines]) => ({ name, origin: "keyed", lines })),
    [],
  );
}

function readStreams(
  request: Pick<ReportRequest, "exitCode" | "stderr" | "stdout">,
  streams: readonly ReportStream[],
  problems: string[],
): TestReport {
  const reading: Reading = {
    found: new Map(),
    ended: new Map(),
    interrupted: new Map(),
    failedTargets: new Map(),
    coverage: new Map(),
    frameworkChanges: new Set(),
    problems,
    cutOff: 0,
    runs: 0,
    of: undefined,
  };
  for (const stream of streams) readStream(stream, reading);
  const outcomes = collectOutcomes(reading, request.exitCode);
  return {
    outcomes,
    coverage: reading.coverage,
    invalid: findInvalidity(reading, outcomes, request),
    ...(reading.cutOff > 0 && reading.cutOff === reading.problems.length && { isCutOff: true as const }),
    ...(reading.frameworkChanges.size > 0 && { frameworkChanges: [...reading.frameworkChanges].sort() }),
    ...(reading.of !== undefined && { share: { found: reading.found.size, of: reading.of } }),
  };
}

function readStream({ name, origin, lines }: ReportStream, reading: Reading): void {
  const running = new Map<string, TestKey>();
  const counts = new Map<string, number>();
  let started = false;
  let ending: ReportEvent | undefined;
  let number = 0;
  for (const line of wholeLines(lines)) {
    number += 1;
    const event = readReportEvent(line);
    if (event === undefined) {
      reading.problems.push(`line ${number} of ${name} is not a report line`);
      continue;
    }
    if (origin === "open" && !isOpenEvent(event)) {
      reading.problems.push(
        `line ${number} of ${name} is a line that only Millwright's reporter may write, but another process wrote it`,
      );
      continue;
    }
    if (ending !== undefined)
      reading.problems.push(`line ${number} of ${name} is after the end of the report`);
    if (event.event === "run-started") started = true;
    else if (event.event === "run-ended") ending = event;
    else applyEvent(event, running, counts, reading);
  }
  for (const [text, key] of running) reading.interrupted.set(text, key);
  if (!started) return;
  reading.runs += 1;
  if (ending?.event !== "run-ended") {
    reading.problems.push(`${name} is cut off: the run ended early`);
    reading.cutOff += 1;
  } else if (!sameCounts(ending.counts, counts)) {
    reading.problems.push(`the numbers of tests in ${name} differ from the totals at its end`);
  }
}

/** True for a line that anyone may write. Such lines never make a test pass. */
function isOpenEvent(event: ReportEvent): boolean {
  if (event.event === "test-ended") return isFailing(event.status) || event.status === "not-run";
  return event.event !== "run-started" && event.event !== "run-ended";
}

/** Lines that end in a newline; a last one without it was cut off when the process died. */
function* wholeLines(content: Buffer): Generator<string> {
  let start = 0;
  for (let end = content.indexOf(0x0a); end !== -1; end = content.indexOf(0x0a, start)) {
    if (end > start) yield content.toString("utf8", start, end);
    start = end + 1;
  }
}

/** Parses a line of a report; undefined for any other line. */
export function readReportEvent(line: string): ReportEvent | undefined {
  try {
    return reportEventSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}

function applyEvent(
  event: ReportEvent,
  running: Map<string, TestKey>,
  counts: Map<string, number>,
  reading: Reading,
): void {
  if (event.event === "tests-found") {
    for (const key of event.tests) reading.found.set(formatTestKey(key), key);
    reading.of ??= event.of;
  } else if (event.event === "test-started") {
    running.set(formatTestKey(event.test), event.test);
  } else if (event.event === "test-ended") {
    const text = formatTestKey(event.test);
    running.delete(text);
    counts.set(event.status, (counts.get(event.status) ?? 0) + 1);
    if (reading.ended.has(text)) reading.problems.push(`${text} is reported twice`);
    const { test: key, status, durationMs, failure } = event;
    reading.ended.set(text, { key, status, durationMs, ...(failure && { failure }) });
  } else if (event.event === "target-failed") {
    const key = targetKey(event);
    reading.failedTargets.set(formatTestKey(key), { key, failure: event.failure });
  } else if (event.event === "framework-changed") {
    for (const change of event.changes) reading.frameworkChanges.add(change);
  } else if (event.event === "coverage") {
    const key = event.test ?? targetKey({ package: event.package ?? "", target: event.target ?? "" });
    addCoverage(reading.coverage, formatTestKey(key), event.lines);
  }
}

function addCoverage(coverage: Map<string, CoveredLines>, text: string, lines: Record<string, string>): void {
  const covered = coverage.get(text) ?? {};
  for (const [path, ranges] of Object.entries(lines)) {
    const known = covered[path];
    const added = expandRanges(ranges);
    covered[path] = known ? [...new Set([...known, ...added])].sort((a, b) => a - b) : added;
  }
  coverage.set(text, covered);
}

function expandRanges(ranges: string): number[] {
  const lines: number[] = [];
  for (const range of ranges.split(",")) {
    const dash = range.indexOf("-");
    const first = Number(dash === -1 ? range : range.slice(0, dash));
    const last = dash === -1 ? first : Number(range.slice(dash + 1));
    for (let line = first; line <= last && lines.length < 1_000_000; line += 1) lines.push(line);
  }
  return lines;
}

function sameCounts(said: Record<string, number>, seen: ReadonlyMap<string, number>): boolean {
  const statuses = new Set([...Object.keys(said), ...seen.keys()]);
  return [...statuses].every((status) => (said[status] ?? 0) === (seen.get(status) ?? 0));
}

function collectOutcomes(reading: Reading, exitCode: number | null): TestOutcome[] {
  const outcomes = new Map<string, TestOutcome>(reading.ended);
  for (const [text, key] of reading.interrupted) {
    if (outcomes.has(text)) continue;
    outcomes.set(text, { key, status: "failed", durationMs: 0, failure: describeCrash(exitCode) });
  }
  const told = new Set<string>();
  const answered = new Set([...outcomes.values()].map(({ key }) => formatTestKey(targetKey(key))));
  for (const [text, key] of reading.found) {
    if (outcomes.has(text)) continue;
    const targetText = formatTestKey(targetKey(key));
    const failed = reading.failedTargets.get(targetText);
    if (failed) told.add(targetText);
    const isWhole = key.name === "";
    // A target that was requested as a whole is redundant once its tests are known.
    if (isWhole && failed === undefined && answered.has(targetText)) continue;
    outcomes.set(
      text,
      failed
        ? { key, status: isWhole ? "errored" : "failed", durationMs: 0, failure: failed.failure }
        : { key, status: "not-run", durationMs: 0 },
    );
  }
  for (const [text, { key, failure }] of reading.failedTargets) {
    if (!told.has(text)) outcomes.set(text, { key, status: "errored", durationMs: 0, failure });
  }
  return [...outcomes.values()];
}

/** The failure type of a test during which its process died. */
export const crashType = "Crash";

function describeCrash(exitCode: number | null): TestFailure {
  const message =
    exitCode === null
      ? "the test process was killed while this test ran, by a signal or at the time limit of the run"
      : `the test process ended with exit code ${exitCode} while this test ran`;
  return { type: crashType, message, frames: [], text: message };
}

function findInvalidity(
  reading: Reading,
  outcomes: readonly TestOutcome[],
  request: Pick<ReportRequest, "exitCode" | "stderr" | "stdout">,
): string | undefined {
  const { exitCode } = request;
  const said = exitCode === null ? "killed" : `exit code ${exitCode}`;
  if (reading.runs === 0) return `the run reported nothing (${said})${quoteOutput(request)}`;
  if (reading.problems.length > 0) {
    const more = reading.problems.length > 1 ? ` (and ${reading.problems.length - 1} more)` : "";
    return `${reading.problems[0]}${more} (${said})${quoteOutput(request)}`;
  }
  if (!outcomes.some((outcome) => outcome.status !== "not-run")) {
    return `no test ran (${said})${quoteOutput(request)}`;
  }
  const failing = outcomes.some((outcome) => isFailing(outcome.status));
  if (exitCode === null) return "the run was killed after its last test";
  if (failing && exitCode === 0) return "a test failed, but the run ended with exit code 0";
  if (!failing && exitCode !== 0) {
    return `no test failed, but the run ended with exit code ${exitCode}${quoteOutput(request)}`;
  }
  return undefined;
}

/** The last lines that the run printed, errors first. */
function quoteOutput(request: Pick<ReportRequest, "stderr" | "stdout">): string {
  const text = request.stderr.trim() || request.stdout.trim();
  return text === "" ? "" : `: ${text.slice(-1500)}`;
}
