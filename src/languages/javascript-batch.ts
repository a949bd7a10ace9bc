/**
 * Many candidates of a program that holds them all, tested by one runner's process one after the other: what the four runners
 * share. `runtime/javascript/batch-run.cjs` starts the runner, and starts it anew after an endless loop.
 */
import type {
  Batch,
  BatchReport,
  BatchReportRequest,
  BatchRequest,
  BuildComplaint,
  Invocation,
} from "./contract.ts";
import type { RunnerRequest } from "./javascript-run.ts";
import { parseReportLines } from "./report-lines.ts";

export function defineBatch(invoke: (request: RunnerRequest) => Invocation): Batch {
  return {
    kind: "switch",
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
  const unfit = request.files.get("unfit.txt")?.toString("utf8").slice(0, 2000);
  const complaints = filesOf.size === 0 && unfit === undefined ? readComplaints(request) : [];
  const silent = outcomes.size === 0 && complaints.length === 0 ? quoteOutput(request) : undefined;
  return { outcomes, complaints, invalid: unfit ?? silent };
}

function quoteOutput({ stderr, stdout, exitCode }: BatchReportRequest): string {
  const text = (stderr.trim() || stdout.trim()).slice(-1500);
  return `the batch judged no candidate (exit code ${exitCode})${text === "" ? "" : `: ${text}`}`;
}

/** By candidate: `c12.mocha-….jsonl` belongs to number 12. */
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

/** Undefined where the report is not whole, or contradicts itself. */
function readCandidate(request: BatchReportRequest, files: ReadonlyMap<string, Buffer>, id: number) {
  const { root } = request;
  const read = (exitCode: number) => parseReportLines({ files, root, exitCode, stdout: "", stderr: "" });
  const failing = read(1);
  // A runner that had to be stopped leaves a torn report beside the one that says so.
  if (files.has(`c${id}.stopped.jsonl`)) return failing.outcomes;
  const report = failing.invalid === undefined ? failing : read(0);
  return report.invalid === undefined ? report.outcomes : undefined;
}

/** What TypeScript's compiler says of a build before the tests: `src/a.ts(3,5): error TS2322: …` or `src/a.ts:3:5 - error …`. */
function readComplaints({ stdout, stderr, root }: BatchReportRequest): BuildComplaint[] {
  const lines = `${stdout}\n${stderr}`.split("\n");
  return lines.flatMap((line) => {
    const match = /^\s*(\S.*?\.[cm]?tsx?)(?:\((\d+),\d+\):|:(\d+):\d+ -) error (.*)$/.exec(line);
    if (match === null) return [];
    const [, path = "", inBrackets, behindColon, message = ""] = match;
    const file = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    return [{ file, line: Number(inBrackets ?? behindColon), message }];
  });
}
