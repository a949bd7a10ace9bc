/** Renders a trace for people and models: the result, the path to the failure, then as many calls as fit. */

import { countOf, wordFor } from "../../base/count.ts";
import { findFailures } from "../failure-path.ts";
import type { Trace } from "../trace-file.ts";
import type { TraceProcess } from "../trace-model.ts";
import type { TraceReport } from "../trace-report.ts";
import { type RunEnd, renderFailures, renderProcess, type TreeLimits } from "./tree.ts";

/** Limits from wide to narrow. The report uses the first with which the calls fit. */
const ladder: readonly TreeLimits[] = [
  { depth: 200, breadth: 400, value: 160 },
  { depth: 30, breadth: 60, value: 160 },
  { depth: 12, breadth: 30, value: 120 },
  { depth: 8, breadth: 15, value: 100 },
  { depth: 5, breadth: 8, value: 80 },
  { depth: 3, breadth: 5, value: 60 },
  { depth: 2, breadth: 3, value: 40 },
  { depth: 1, breadth: 2, value: 40 },
];
const mostReasons = 12;
const namedOfReason = 4;
/** Number of lines from each stream's end. */
const mostLines = 12;
/** Maximum number of characters. */
const mostCommand = 300;

/** Renders a trace's report. `room`: maximum number of characters, including the report's first lines about the run. */
export function renderReport(report: TraceReport, processes: readonly TraceProcess[], room: number): string {
  const head = renderHead(report, processes);
  const left = room - lengthOf(head);
  const body = fitBody(processes, left, report.command.exitCode === 0, report.failedTests);
  return `${[...head, ...body].join("\n")}\n`;
}

/**
 * Renders a stored trace, without facts that are known only while the command runs. `room`: maximum number of
 * characters.
 */
export function renderTrace({ head, command, processes }: Trace, room: number): string {
  const calls = countOf(
    processes.reduce((sum, process) => sum + process.calls, 0),
    "call",
  );
  const end =
    command === undefined ? "its end is unknown" : `${command.end} (${command.exitCode ?? "no exit code"})`;
  const lines = [
    `trace of ${showCommand(head.command)}: ${end}; ${calls} of ${countOf(processes.length, "process")}`,
    ...listLimits(processes),
    "",
  ];
  const left = room - lengthOf(lines);
  const body = fitBody(processes, left, command?.exitCode === 0, command?.failedTests);
  return `${[...lines, ...body].join("\n")}\n`;
}

/**
 * Renders a tree of calls with the widest limits for which the lines fit into `room` characters. If even the narrowest
 * limits do not fit, cuts lines.
 */
export function fitTree(render: (limits: TreeLimits) => string[], room: number): string[] {
  let lines: string[] = [];
  for (const limits of ladder) {
    lines = render({ ...limits, room: { left: room } });
    if (lengthOf(lines) <= room) return lines;
  }
  return cutLines(lines, room);
}

function fitBody(
  processes: readonly TraceProcess[],
  room: number,
  succeeded: boolean,
  failedTests: readonly string[] = [],
): string[] {
  const failed = new Set(failedTests);
  const end: RunEnd = { failedTests: failed.size > 0, succeeded };
  const failing = findFailures(processes, failed);
  const traced = processes.filter(({ calls, cuts }) => calls > 0 || cuts.length > 0);
  return fitTree((limits) => {
    const failures = renderFailures(failing, limits, end);
    return [
      ...(failures.length === 0 ? [] : [...failures, ""]),
      ...traced.flatMap((process) => renderProcess(process, processes, limits, failed)),
    ];
  }, room);
}

function renderHead(report: TraceReport, processes: readonly TraceProcess[]): string[] {
  const { command, functions, weakened, leftOut } = report;
  const failed = command.exitCode !== 0 && report.outcome !== "build-failed";
  return [
    `trace of ${showCommand(command.run)}: ${report.reason}`,
    `${functions.called} of ${countOf(functions.traced, "traced function")} ${wordFor(functions.called, "was", "were")} called` +
      (functions.leftOut === 0 ? "" : `; ${functions.leftOut} cannot be traced`),
    ...report.buildErrors.map((error) => `build error: ${error}`),
    ...(failed ? [...lastLines(command.stdout, "output"), ...lastLines(command.stderr, "errors")] : []),
    ...listWeakened(weakened),
    ...listLeftOut(leftOut),
    ...listLimits(processes),
    ...report.remarks.map((remark) => `note: ${remark}`),
    ...(report.file === undefined
      ? []
      : [`file: ${report.file} (\`millwright trace show FILE HANDLE\` shows the details of a call)`]),
    "",
  ];
}

const raisedBy = { records: "--max-records", bytes: "--max-bytes" };

/** Notes about records that end before the run's end. */
function listLimits(processes: readonly TraceProcess[]): string[] {
  return (["records", "bytes"] as const).flatMap((limit) => {
    const full = processes.filter(({ cuts }) => cuts.some(({ why }) => why === limit));
    if (full.length === 0) return [];
    const calls = full
      .flatMap(({ cuts }) => cuts)
      .reduce((sum, { why, count }) => sum + (why === limit ? count : 0), 0);
    const which = full.length === 1 ? `process ${full[0]?.number}` : countOf(full.length, "process");
    const least = full.every(({ ended }) => ended) ? "" : "at least ";
    return [
      `note: ${which} reached the limit of ${limit}, so ${least}${countOf(calls, "call was", "calls were")} not recorded (raise ${raisedBy[limit]}, or trace fewer functions)`,
    ];
  });
}

/** Shows the command shortened, on one line: the reader knows it, and code for an interpreter may be long. */
function showCommand(words: readonly string[]): string {
  const line = words
    .join(" ")
    .trim()
    .replace(/\s*\n\s*/g, " ⏎ ");
  return line.length <= mostCommand ? line : `${line.slice(0, mostCommand)}…`;
}

/** The last lines of one of the run's streams. `what`: the stream's name. */
function lastLines(text: string, what: string): string[] {
  const lines = text.trimEnd().split("\n").slice(-mostLines);
  return lines.join("") === "" ? [] : [`the end of its ${what}:`, ...lines.map((line) => `  ${line}`)];
}

function listWeakened(functions: TraceReport["weakened"]): string[] {
  if (functions.length === 0) return [];
  const shown = functions
    .slice(0, mostReasons)
    .map(({ name, path, line, level, reason }) => `  ${name} (${path}:${line}): ${levels[level]}, ${reason}`);
  const more = functions.length - mostReasons;
  return [
    `recorded with less detail: ${functions.length}`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Lists functions left out by reason, with a few names if they help. */
function listLeftOut(functions: TraceReport["leftOut"]): string[] {
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of functions) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  const reasons = [...byReason].sort(([, a], [, b]) => b.length - a.length).slice(0, mostReasons);
  return reasons.map(([reason, names]) => {
    const shown = [...new Set(names.filter((name) => !/[{<]|^\(anonymous\)$/.test(name)))].slice(
      0,
      namedOfReason,
    );
    const which =
      shown.length === 0 ? "" : ` (${shown.join(", ")}${names.length > shown.length ? ", …" : ""})`;
    return `left out: ${names.length} × ${reason}${which}`;
  });
}

const levels = {
  values: "everything",
  return: "no arguments",
  calls: "entry and exit only",
  none: "nothing",
};

function lengthOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}

function cutLines(lines: readonly string[], room: number): string[] {
  if (lengthOf(lines) <= room) return [...lines];
  const kept: string[] = [];
  let used = 0;
  for (const line of lines) {
    used += line.length + 1;
    if (used > room) break;
    kept.push(line);
  }
  return [...kept, "… and more, which does not fit here"];
}
