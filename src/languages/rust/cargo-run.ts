/** Makes the invocation of our runner of Rust tests, and reads its report. */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { Invocation, InvocationRequest, ReportRequest, Selection, TestReport } from "../contract.ts";
import { parseReportLines } from "../report-lines.ts";
import { groupArguments, readCargoCommand } from "./cargo-command.ts";
import { explainFailure, type TestFolders } from "./cargo-panic.ts";

/** Linux limits one environment string to 128 KiB, and all strings plus arguments to 2 MiB. */
const partLength = 100_000;
const requestLength = 1_600_000;

type RunRequest = Pick<
  InvocationRequest,
  "command" | "selection" | "coverage" | "testTimeoutMs" | "stopAtFirstFailure" | "paths"
>;

/**
 * Makes the invocation of the command with our runner. The environment contains the request. `more`: further lines of
 * the request.
 */
export function invokeCargo(request: RunRequest, more: readonly string[] = []): Invocation {
  const call = readCargoCommand(request.command.command);
  const { runtime, report } = request.paths;
  const args = request.selection.kind === "tests" ? withoutNames(call?.args ?? []) : (call?.args ?? []);
  const words = [...(call?.program ?? ["cargo"]), "test", ...args];
  const env: Record<string, string> = { ...call?.env };
  const text = describeRequest(request, more);
  const parts = Math.ceil(text.length / partLength);
  for (let part = 0; part < parts; part += 1) {
    env[`MILLWRIGHT_REQUEST_${part}`] = text.slice(part * partLength, (part + 1) * partLength);
  }
  return { run: ["/bin/sh", `${runtime}/rust/run.sh`, runtime, report, ...words], env, programs: ["rust"] };
}

/** Leaves out the words by which the command itself chooses tests: chosen ones take their place. */
function withoutNames(args: readonly string[]): string[] {
  return groupArguments(args).flatMap((group) => {
    const [first = "", ...rest] = group;
    if (first !== "--") return first.startsWith("-") ? group : [];
    const isValue = (at: number): boolean =>
      /^(?:--(?:test-threads|color|format|logfile|shuffle-seed|report-time)|-Z)$/.test(rest[at - 1] ?? "");
    const isName = (word: string, at: number): boolean => !word.startsWith("-") && !isValue(at);
    return [first, ...rest.filter((word, at) => !isName(word, at) && !/^--(?:skip|exact)(?:=|$)/.test(word))];
  });
}

/** The lines that `runtime/rust/request.rs` reads. */
function describeRequest(request: RunRequest, more: readonly string[]): string {
  const { coverage, testTimeoutMs, stopAtFirstFailure, selection, paths } = request;
  const lines = [
    `root\t${paths.root}`,
    `channel\t${paths.channel}`,
    `limit\t${Math.ceil(testTimeoutMs)}`,
    ...(coverage ? ["coverage"] : []),
    ...(stopAtFirstFailure ? ["stop"] : []),
    ...more,
  ];
  const all = [...lines, ...describeSelection(selection)].join("\n");
  if (Buffer.byteLength(all) <= requestLength || selection.kind !== "tests") return all;
  // More tests than fit: their whole targets, whose outcomes hold those that were asked for.
  const files = [...new Set(selection.tests.map((test) => test.target))];
  return [...lines, ...describeSelection({ kind: "files", files })].join("\n");
}

function describeSelection(selection: Selection): string[] {
  if (selection.kind === "all") return [];
  if (selection.kind === "files") return ["files", ...selection.files.map((file) => `file\t${file}`)];
  const byTarget = new Map<string, TestKey[]>();
  for (const test of selection.tests) {
    const id = `target\t${test.package}\t${test.target}`;
    byTarget.set(id, [...(byTarget.get(id) ?? []), test]);
  }
  return ["tests", ...[...byTarget].flatMap(([id, tests]) => [id, ...tests.flatMap(describeName)])];
}

function describeName({ name }: TestKey): string[] {
  return /[\n\t]/.test(name) ? [] : [`name\t${name}`];
}

export function parseCargoReport(request: ReportRequest): TestReport {
  const report = parseReportLines(request);
  const foldersOf = readFolders(request);
  const outcomes = report.outcomes.map((outcome) =>
    outcome.failure === undefined
      ? outcome
      : { ...outcome, failure: explainFailure(outcome.failure, foldersOf(outcome.key), request.root) },
  );
  return { ...report, outcomes };
}

function readFolders(request: ReportRequest): (key: TestKey) => TestFolders {
  const text = request.files.get("folders.txt")?.toString("utf8") ?? "";
  const packages = new Map<string, string>();
  let workspace = "";
  for (const line of text.split("\n")) {
    const [kind, first = "", target = "", folder = ""] = line.split("\t");
    if (kind === "root") workspace = first;
    if (kind === "target") packages.set(formatTestKey({ package: first, target, name: "" }), folder);
  }
  return (key) => {
    const target = key.target.replace(/^doc:/, "");
    const folder = packages.get(formatTestKey({ package: key.package, target, name: "" }));
    return { workspace, package: folder ?? workspace };
  };
}
