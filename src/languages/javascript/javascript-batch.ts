/**
 * Tests a program that contains many candidates: one process of the runner tests them one after the other. All runners
 * that can test candidates in a batch share it. `runtime/javascript/batch-run.cjs` starts the runner, and restarts it
 * after an endless loop.
 */
import type { TestFailure } from "../../domain/test-outcome.ts";
import type {
  Batch,
  BatchReport,
  BatchReportRequest,
  BatchRequest,
  BuildComplaint,
  Invocation,
} from "../contract.ts";
import { parseReportFiles, readReportEvent } from "../report-lines.ts";
import type { RunnerRequest } from "./javascript-run.ts";

export function defineBatch(invoke: (request: RunnerRequest) => Invocation): Batch {
  return {
    kind: "schema",
    size: 200,
    invoke: (request) => invoke(toRunnerRequest(request)),
    parse,
  };
}

function toRunnerRequest(request: BatchRequest): RunnerRequest {
  const { command, project, paths, testTimeoutMs, stopAtFirstFailure, tests, candidates, parallel } = request;
  return {
    ...{ command, project, paths, testTimeoutMs, stopAtFirstFailure },
    coverage: false,
    selection: { kind: "tests", tests },
    batch: { candidates: candidates.map(({ id }) => id), parallel },
  };
}

function parse(request: BatchReportRequest): BatchReport {
  const filesOf = groupFiles(request.files);
  const outcomes = new Map<
    number,
    BatchReport["outcomes"] extends ReadonlyMap<number, infer T> ? T : never
  >();
  for (const { id } of request.candidates) {
    const files = filesOf.get(id);
    const found = files && readCandidate(request, files, id);
    if (found !== undefined) outcomes.set(id, found);
  }
  const complaints = outcomes.size === 0 ? readComplaints(request) : [];
  if (outcomes.size > 0 || complaints.length > 0) return { outcomes, complaints, invalid: undefined };
  const unfit = request.files.get("unfit.txt")?.toString("utf8").slice(0, 2000);
  return { outcomes, complaints, invalid: unfit ?? quoteOutput(request) };
}

function quoteOutput({ stderr, stdout, exitCode }: BatchReportRequest): string {
  const text = (stderr.trim() || stdout.trim()).slice(-1500);
  return `the batch judged no candidate (exit code ${exitCode})${text === "" ? "" : `: ${text}`}`;
}

/** Groups report files by candidate: `c12.mocha-….jsonl` belongs to number 12. */
function groupFiles(files: ReadonlyMap<string, Buffer>): Map<number, Map<string, Buffer>> {
  const groups = new Map<number, Map<string, Buffer>>();
  for (const [name, content] of files) {
    const id = /^c(\d+)\./.exec(name)?.[1];
    if (id === undefined) continue;
    const group = groups.get(Number(id)) ?? new Map<string, Buffer>();
    groups.set(Number(id), group.set(name, content));
  }
  return groups;
}

/** Undefined if the report is incomplete, or contradicts itself. */
function readCandidate(request: BatchReportRequest, files: ReadonlyMap<string, Buffer>, id: number) {
  const { root } = request;
  const read = (exitCode: number) => parseReportFiles({ files, root, exitCode, stdout: "", stderr: "" });
  const failing = read(1);
  // A runner that had to be stopped leaves a torn report beside the one that says so.
  if (files.has(`c${id}.stopped.jsonl`)) return failing.outcomes;
  const report = failing.invalid === undefined ? failing : read(0);
  return report.invalid === undefined ? report.outcomes : undefined;
}

/** Compilers' messages about a place: TypeScript's (`a.ts(3,5): error …`, `a.ts:3:5 - error …`), Babel, esbuild. */
const placed = [
  /^\s*(?<file>\S.*?\.[cm]?[jt]sx?)\((?<line>\d+),\d+\): error (?<message>.*)$/,
  /^\s*(?<file>\S.*?\.[cm]?[jt]sx?):(?<line>\d+):\d+(?: -|:) (?:error|ERROR)[: ](?<message>.*)$/,
  /(?<file>[^\s:]+\.[cm]?[jt]sx?): (?<message>.*) \((?<line>\d+):\d+\)$/,
];

/** Messages of Babel's transforms, which show only the place. */
const shown = /(?<file>[^\s:]+\.[cm]?[jt]sx?): (?<message>.*)\n(?:.*\n)*?> *(?<line>\d+) \|/;

/**
 * Errors of a build before the tests, or of loading the unchanged program. One candidate's text can keep all candidates
 * from loading.
 */
function readComplaints({ files, stdout, stderr, root }: BatchReportRequest): BuildComplaint[] {
  const failures = [...files].flatMap(([name, content]) =>
    /^base-\d+\./.test(name) ? readFailures(content) : [],
  );
  const lines = [stdout, stderr, ...failures.map(({ message }) => message)].join("\n").split("\n");
  const matches = [
    ...lines.map((line) => placed.map((pattern) => pattern.exec(line)).find((found) => found !== null)),
    ...failures.map(({ message }) => shown.exec(message)),
  ];
  const said = matches.flatMap((found) => {
    const { file = "", line = "", message = "" } = found?.groups ?? {};
    return file === "" ? [] : [{ file: relativeTo(root, file), line: Number(line), message }];
  });
  // Node tells no column.
  const thrown = failures.flatMap(({ type, message, frames }) => {
    const frame = frames.at(-1);
    return type === "SyntaxError" && frame !== undefined
      ? [{ file: frame.file, line: frame.line, message }]
      : [];
  });
  return [...new Map([...said, ...thrown].map((each) => [`${each.file}:${each.line}`, each])).values()];
}

function relativeTo(root: string, file: string): string {
  const path = file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file;
  return path.replace(/^\.\//, "");
}

/** The failures of targets that could not be loaded. */
function readFailures(content: Buffer): TestFailure[] {
  const lines = content
    .toString("utf8")
    .split("\n")
    .filter((line) => line.includes('"target-failed"'));
  return lines.flatMap((line) => {
    const event = readReportEvent(line);
    return event?.event === "target-failed" ? [event.failure] : [];
  });
}
