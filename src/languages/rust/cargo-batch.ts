/**
 * Tests many candidates in one Rust program. Cargo builds it once. Each test runs in its own process, which reads the
 * candidate's number from the environment.
 */
import { z } from "zod";
import {
  formatTestKey,
  isFailing,
  type TestOutcome,
  testKeySchema,
  testStatusSchema,
} from "../../domain/test-outcome.ts";
import type { Batch, BatchReport, BatchReportRequest, BatchRequest, BuildComplaint } from "../contract.ts";
import { invokeCargo } from "./cargo-run.ts";

const resultSchema = z.object({
  candidate: z.int(),
  test: testKeySchema,
  status: testStatusSchema,
  durationMs: z.number(),
  type: z.string(),
});
type Result = z.infer<typeof resultSchema>;

const complaintSchema = z.object({ file: z.string(), line: z.int(), message: z.string() });

function invoke(request: BatchRequest) {
  const { command, testTimeoutMs, stopAtFirstFailure, paths, tests } = request;
  const more = [
    "lenient",
    `parallel\t${request.parallel}`,
    ...request.candidates.map(({ id }) => `candidate\t${id}`),
  ];
  const selection = { kind: "tests", tests } as const;
  return invokeCargo({ command, selection, coverage: false, testTimeoutMs, stopAtFirstFailure, paths }, more);
}

function parse(request: BatchReportRequest): BatchReport {
  const complaints = readLines(request, /^complaints\.txt$/, complaintSchema);
  const results = readLines(request, /^candidates-\d+\.txt$/, resultSchema);
  const outcomes = new Map<number, readonly TestOutcome[]>();
  for (const [id, own] of Map.groupBy(results, ({ candidate }) => candidate)) {
    const all = judge(request, own);
    if (all !== undefined) outcomes.set(id, all);
  }
  return { outcomes, complaints: unique(complaints), invalid: explain(request, complaints, outcomes) };
}

/** A candidate's outcomes; undefined if the run did not reach a test although no earlier test failed. */
function judge({ tests }: BatchReportRequest, results: readonly Result[]): TestOutcome[] | undefined {
  const known = new Map(results.map((result) => [formatTestKey(result.test), result]));
  const outcomes = tests.map((key): TestOutcome => {
    const result = known.get(formatTestKey(key));
    if (result === undefined) return { key, status: "not-run", durationMs: 0 };
    const { status, durationMs, type } = result;
    const message = type === "" ? "the test failed" : type;
    const failure = { type: type === "" ? "panic" : type, message, frames: [], text: message };
    return { key, status, durationMs, ...(isFailing(status) && { failure }) };
  });
  const isWhole = outcomes.every(({ status }) => status !== "not-run");
  return isWhole || outcomes.some(({ status }) => isFailing(status)) ? outcomes : undefined;
}

function readLines<T>(request: BatchReportRequest, name: RegExp, schema: z.ZodType<T>): T[] {
  const files = [...request.files].filter(([file]) => name.test(file));
  return files.flatMap(([, content]) =>
    content
      .toString("utf8")
      .split("\n")
      .slice(0, -1)
      .flatMap((line) => readLine(line, schema)),
  );
}

function readLine<T>(line: string, schema: z.ZodType<T>): T[] {
  try {
    return [schema.parse(JSON.parse(line))];
  } catch {
    return []; // torn by the end of its process
  }
}

function unique(complaints: readonly BuildComplaint[]): BuildComplaint[] {
  return [...new Map(complaints.map((one) => [JSON.stringify(one), one])).values()];
}

function explain(
  { exitCode, stderr, candidates }: BatchReportRequest,
  complaints: readonly unknown[],
  outcomes: ReadonlyMap<number, unknown>,
): string | undefined {
  if (complaints.length > 0 || outcomes.size > 0 || candidates.length === 0) return undefined;
  const said = exitCode === null ? "killed" : `exit code ${exitCode}`;
  return `no candidate was tested (${said}): ${stderr.trim().slice(-500)}`;
}

export const cargoBatch: Batch = { kind: "schema", size: 150, invoke, parse };
