/**
 * A batch that forks a child for each candidate. Reads its output: the lines of `batch.txt`, and one report for each
 * child.
 */
import { z } from "zod";
import { formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type {
  Batch,
  BatchReport,
  BatchReportRequest,
  BatchRequest,
  Invocation,
  InvocationRequest,
} from "./contract.ts";
import { parseReportFiles } from "./report-lines.ts";

const lineSchema = z.union([
  /** The candidate's child ended; null: it was killed. */
  z.object({ candidate: z.int(), exitCode: z.int().nullable() }),
  /** The reason why the candidate needs a separate start. */
  z.object({ candidate: z.int(), refused: z.string() }),
  /** The reason why no candidate can be tested in a batch. */
  z.object({ refused: z.string() }),
]);

/**
 * Reads `batch.txt`. `lines` say how each candidate's child ended, or why a candidate needs a separate start. `invalid`
 * says why no candidate could be tested; undefined if `lines` are about candidates.
 */
export function readBatch(request: BatchReportRequest) {
  const lines = readLines(request.files.get("batch.txt")?.toString("utf8") ?? "");
  const all = lines.find((line) => !("candidate" in line));
  return { lines, invalid: all && "refused" in all ? all.refused : explainSilence(request, lines) };
}

/**
 * Makes the batch of a framework. One process loads the test library, and forks a child for each candidate; the child
 * loads the project.
 */
export function forkedBatch(invoke: (request: InvocationRequest) => Invocation): Batch {
  return {
    kind: "swap",
    size: 50,
    invoke: (request) => invokeForked(request, invoke),
    parse: parseForkedBatch,
  };
}

/**
 * Starts a runner's usual program for a batch. The program loads the test library, and forks a child for each
 * candidate. Each child loads the project. The environment has the number of concurrent children, and the candidates'
 * numbers.
 */
function invokeForked(request: BatchRequest, invoke: (request: InvocationRequest) => Invocation): Invocation {
  const { tests, candidates, parallel, paths } = request;
  const one = invoke({ ...request, selection: { kind: "tests", tests }, coverage: false });
  return {
    ...one,
    env: {
      ...one.env,
      MILLWRIGHT_BATCH: [parallel, ...candidates.map(({ id }) => id)].join(" "),
      MILLWRIGHT_REPORT: paths.report,
    },
  };
}

export function parseForkedBatch(request: BatchReportRequest): BatchReport {
  const { lines, invalid } = readBatch(request);
  const outcomes = new Map<number, readonly TestOutcome[]>();
  const refused = new Set(
    lines.flatMap((line) => ("candidate" in line && "refused" in line ? line.candidate : [])),
  );
  for (const line of lines) {
    if (!("exitCode" in line) || refused.has(line.candidate)) continue;
    const found = readCandidate(request, line.candidate, line.exitCode);
    if (found !== undefined) outcomes.set(line.candidate, found);
  }
  return { outcomes, complaints: [], invalid };
}

function readLines(text: string): z.infer<typeof lineSchema>[] {
  return text.split("\n").flatMap((line) => {
    try {
      return lineSchema.safeParse(JSON.parse(line)).data ?? [];
    } catch {
      return []; // torn when the process was killed
    }
  });
}

/** Reads a candidate's outcomes. Undefined if the report is invalid and contains no failure. */
function readCandidate(
  request: BatchReportRequest,
  candidate: number,
  exitCode: number | null,
): readonly TestOutcome[] | undefined {
  const prefix = `c${candidate}-`;
  const files = [...request.files].filter(([name]) => name.startsWith(prefix));
  const report = parseReportFiles({ ...request, files: new Map(files), exitCode });
  const failed = report.outcomes.some((outcome) => isFailing(outcome.status));
  if (report.invalid !== undefined && !failed) return undefined;
  const seen = new Set(report.outcomes.map((outcome) => formatTestKey(outcome.key)));
  const missing = request.tests.filter((key) => !seen.has(formatTestKey(key)));
  return [...report.outcomes, ...missing.map((key) => ({ key, status: "not-run", durationMs: 0 }) as const)];
}

function explainSilence(request: BatchReportRequest, lines: readonly unknown[]): string | undefined {
  if (lines.length > 0) return undefined;
  const said = (request.stderr.trim() || request.stdout.trim()).slice(-1500);
  const end = request.exitCode === null ? "killed" : `exit code ${request.exitCode}`;
  return `the tests did not run (${end})${said === "" ? "" : `: ${said}`}`;
}
