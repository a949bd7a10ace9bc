/** Runs a repository's tests in a checkout and reads their report; the one place that turns test runs into outcomes. */
import { randomBytes } from "node:crypto";
import { constants, lstatSync, mkdirSync, readdirSync } from "node:fs";
import { open, rm } from "node:fs/promises";
import { join } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../domain/test-outcome.ts";
import type {
  ProjectView,
  Selection,
  TestCommand,
  TestFramework,
  TestReport,
} from "../languages/contract.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import type { Checkout } from "./contract.ts";

export interface TestRunRequest {
  readonly checkout: Checkout;
  readonly framework: TestFramework;
  readonly command: TestCommand;
  readonly project: ProjectView;
  readonly selection: Selection;
  readonly coverage: boolean;
  readonly testTimeoutMs: number;
  readonly stopAtFirstFailure?: boolean;
  /** For the whole run. */
  readonly timeoutMs: number;
  /** Ends the run when nothing was reported for so long: a loop that no time limit of a framework can break. */
  readonly stallMs: number;
  readonly signal: AbortSignal;
}

export interface TestRun {
  readonly report: TestReport;
  readonly end: CommandEnd;
  readonly exitCode: number | null;
  readonly durationMs: number;
  /** Head and tail of what the command printed. */
  readonly output: string;
}

/** Bytes of one report file; a larger one is cut there and its torn last line dropped by the parser. */
const largestReport = 256 * 1024 * 1024;

/**
 * One run of the selected tests. A test that was asked for by key and is not in the report is `not-run`, so that a selection
 * always gets an answer for each of its tests. Throws only what the sandbox throws, and AbortError when the run is interrupted.
 */
export async function runTests(request: TestRunRequest): Promise<TestRun> {
  const { checkout, framework, command } = request;
  const name = `report-${randomBytes(6).toString("hex")}`;
  const folder = join(checkout.scratch.host, name);
  mkdirSync(folder, { recursive: true });
  const watch = watchForStall(folder, request);
  try {
    const invocation = framework.invoke({
      command,
      selection: request.selection,
      coverage: request.coverage,
      testTimeoutMs: request.testTimeoutMs,
      stopAtFirstFailure: request.stopAtFirstFailure ?? false,
      paths: { root: checkout.root, runtime: checkout.runtime, report: `${checkout.scratch.inside}/${name}` },
      project: request.project,
    });
    const result = await checkout.execute({
      run: invocation.run,
      directory: command.directory,
      env: invocation.env,
      timeoutMs: request.timeoutMs,
      signal: watch.signal,
    });
    request.signal.throwIfAborted();
    const stdout = renderOutput(result.stdout);
    const stderr = renderOutput(result.stderr);
    const report = framework.parse({
      files: await readReportFiles(folder),
      stdout,
      stderr,
      exitCode: result.exitCode,
      root: checkout.root,
    });
    return {
      report: { ...report, outcomes: addMissing(report.outcomes, request.selection) },
      end: watch.stalled() ? "timed-out" : result.end,
      exitCode: result.exitCode,
      durationMs: result.durationMs,
      output: [stdout, stderr].filter((text) => text !== "").join("\n"),
    };
  } finally {
    watch.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const stallCheckMs = 500;

interface StallWatch {
  readonly signal: AbortSignal;
  stalled(): boolean;
  stop(): void;
}

/** Fires its signal with the caller's, and when the report has not grown for `stallMs`. */
function watchForStall(folder: string, request: TestRunRequest): StallWatch {
  const controller = new AbortController();
  let size = -1;
  let grownAt = performance.now();
  const timer = setInterval(() => {
    const present = reportSize(folder);
    if (present !== size) {
      size = present;
      grownAt = performance.now();
    } else if (performance.now() - grownAt > request.stallMs) controller.abort();
  }, stallCheckMs);
  return {
    signal: AbortSignal.any([request.signal, controller.signal]),
    stalled: () => controller.signal.aborted,
    stop: () => clearInterval(timer),
  };
}

function reportSize(folder: string): number {
  let size = 0;
  for (const name of readdirSync(folder))
    size += lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  return size;
}

/** Regular files only: the folder is written by code that nobody has read. */
async function readReportFiles(folder: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = await open(
      join(folder, entry.name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const size = Math.min((await file.stat()).size, largestReport);
      const buffer = Buffer.alloc(size);
      const { bytesRead } = await file.read(buffer, 0, size, 0);
      files.set(entry.name, buffer.subarray(0, bytesRead));
    } finally {
      await file.close();
    }
  }
  return files;
}

function addMissing(outcomes: readonly TestOutcome[], selection: Selection): readonly TestOutcome[] {
  if (selection.kind !== "tests") return outcomes;
  const wanted = new Map(selection.tests.map((key) => [formatTestKey(key), key]));
  const selected = outcomes.filter(
    (outcome) => wanted.has(formatTestKey(outcome.key)) || isFailing(outcome.status),
  );
  const seen = new Set(outcomes.map((outcome) => formatTestKey(outcome.key)));
  const missing = [...wanted].filter(([id]) => !seen.has(id)).map(([, key]) => notRun(key));
  return [...selected, ...missing];
}

function notRun(key: TestKey): TestOutcome {
  return { key, status: "not-run", durationMs: 0 };
}
