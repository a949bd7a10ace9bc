/** Starts a Python test runner with our runtime on its module path, and reads the report. */
import { deflateSync } from "node:zlib";
import type { StackFrame, TestFailure } from "../../domain/test-outcome.ts";
import type {
  BatchRequest,
  Invocation,
  InvocationRequest,
  ReportRequest,
  Selection,
  TestReport,
} from "../contract.ts";
import { crashType, parseReportLines } from "../report-lines.ts";
import type { PythonCommand } from "./python-command.ts";

/** Linux limits one environment string to 128 KiB, and all strings plus arguments to 2 MiB. */
const partLength = 100_000;
const requestLength = 1_500_000;

type PythonRequest = Omit<InvocationRequest, "command" | "project">;
type PythonBatch = Pick<BatchRequest, "candidates" | "parallel"> & { readonly compare: boolean };

/**
 * Puts our runtime first on the module path, and the request into the environment. Compresses the request, because
 * thousands of tests do not fit into arguments.
 */
export function invokePython(
  request: PythonRequest,
  { argv, env }: { readonly argv: readonly string[]; readonly env: PythonCommand["env"] },
  batch?: PythonBatch,
): Invocation {
  const runtime = `${request.paths.runtime}/python`;
  const script = `PYTHONPATH="\${MILLWRIGHT_BUILT_PYTHON:-$0}\${PYTHONPATH:+:$PYTHONPATH}"; export PYTHONPATH; unset MILLWRIGHT_BUILT_PYTHON; exec "$@"`;
  return {
    run: ["/bin/sh", "-c", script, runtime, ...argv],
    env: {
      // Bytecode is found by the source's time in seconds and its size: two candidates may agree in both.
      PYTHONDONTWRITEBYTECODE: "1",
      PYTHONHASHSEED: request.varied === true ? "1" : "0",
      ...env,
      ...encodeRequest(request, batch),
    },
    programs: ["python"],
  };
}

function encodeRequest(request: PythonRequest, batch: PythonBatch | undefined): Record<string, string> {
  let encoded = encode(request, request.selection, batch);
  if (encoded.length > requestLength && request.selection.kind === "tests" && batch === undefined) {
    // More tests than fit: their whole files, whose outcomes hold those that were asked for.
    const files = [...new Set(request.selection.tests.map((test) => test.target))];
    encoded = encode(request, { kind: "files", files }, undefined);
  }
  const parts: [string, string][] = [];
  for (let at = 0; at < encoded.length; at += partLength) {
    parts.push([`MILLWRIGHT_REQUEST_${parts.length}`, encoded.slice(at, at + partLength)]);
  }
  return Object.fromEntries(parts);
}

function encode(request: PythonRequest, selection: Selection, batch: PythonBatch | undefined): string {
  const { paths, coverage, testTimeoutMs, stopAtFirstFailure, varied = false, share } = request;
  const wanted =
    selection.kind === "tests"
      ? { kind: "tests", tests: selection.tests.map((test) => [test.target, test.name]) }
      : selection;
  const content = {
    root: paths.root,
    report: paths.report,
    channel: paths.channel,
    coverage,
    testTimeoutMs,
    stopAtFirstFailure,
    varied,
    selection: wanted,
    ...(share && { share }),
    ...(batch && { batch }),
  };
  return deflateSync(JSON.stringify(content)).toString("base64");
}

/** Parses the report. If a test ended the process, explains this with the interpreter's own output. */
export function parsePythonReport(request: ReportRequest): TestReport {
  const report = parseReportLines(request);
  const outcomes = report.outcomes.map((outcome) =>
    outcome.failure?.type === crashType
      ? { ...outcome, failure: explainCrash(outcome.failure, request) }
      : outcome,
  );
  return { ...report, outcomes };
}

function explainCrash(failure: TestFailure, request: ReportRequest): TestFailure {
  const watchdog = request.files.get("watchdog.txt")?.toString("utf8") ?? "";
  if (watchdog.includes("Timeout (")) {
    const message = "the test took longer than its time limit and could not be interrupted";
    return {
      type: "TimeoutError",
      message,
      frames: readStack(watchdog, request.root),
      text: shorten(watchdog),
      endedProcess: true,
    };
  }
  const fatal = request.stderr.lastIndexOf("Fatal Python error: ");
  if (fatal === -1) return failure;
  const text = request.stderr.slice(fatal);
  const message = `${failure.message}: ${text.slice("Fatal Python error: ".length).split("\n")[0]}`;
  return { ...failure, message, frames: readStack(text, request.root), text: shorten(text) };
}

/**
 * Reads the stack of a thread that ran the repository's code from a dump by `faulthandler`. Dumps have the most recent
 * call first. Prefers the current thread if the dump names one.
 */
function readStack(text: string, root: string): StackFrame[] {
  const threads = text
    .split(/^(?=Current thread |Thread |Stack )/m)
    .filter((part) => part.includes("most recent call first"))
    .sort((a, b) => Number(b.startsWith("Current")) - Number(a.startsWith("Current")))
    .map((part) => readFrames(part, root));
  const own = threads.map((frames) => frames.filter((frame) => !/^[/<]/.test(frame.file)));
  return own.find((frames) => frames.length > 0) ?? threads[0] ?? [];
}

function readFrames(part: string, root: string): StackFrame[] {
  const frames = [...part.matchAll(/^ {2}File "(.*)", line (\d+) in (.*)$/gm)].map((match) => {
    const path = match[1] ?? "";
    const file = path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
    return { file, line: Math.max(1, Number(match[2])), function: match[3] ?? "" };
  });
  return frames.reverse();
}

function shorten(text: string): string {
  return text.length <= 4000 ? text : `${text.slice(0, 4000)}\n[…]`;
}
