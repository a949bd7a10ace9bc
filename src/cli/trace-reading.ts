/** `trace show` and `trace diff`: print and compare stored traces. */
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { diffTraces } from "../trace/diff-traces.ts";
import { renderDivergences } from "../trace/render/diff.ts";
import { renderFound } from "../trace/render/found.ts";
import { renderPage } from "../trace/render/page.ts";
import { renderTrace } from "../trace/render/report.ts";
import { makeProcessData } from "../trace/trace-data.ts";
import { readTraceFile, type Trace } from "../trace/trace-file.ts";
import type { TraceFlags } from "./trace-request.ts";

const charactersPerToken = 4;
const differExitCode = 10;
const mostDivergences = 20;

type ReadingFlags = Pick<TraceFlags, "budget" | "format" | "json">;

export function isReading(words: readonly string[], flags: Pick<TraceFlags, "instrument" | "spec">): boolean {
  const asked = flags.instrument.length > 0 || flags.spec !== undefined;
  return !asked && (words[0] === "show" || words[0] === "diff");
}

export async function readTraces(words: readonly string[], flags: ReadingFlags): Promise<number> {
  const [what, first, second] = words;
  if (first === undefined || (what === "diff" && second === undefined) || words.length > 3) {
    throw new MillwrightError(
      "usage",
      `trace ${what} takes ${what === "diff" ? "two files" : "a file, and at most one handle or function"}`,
      {
        hint: "Give `millwright trace show FILE [HANDLE or FUNCTION]` or `millwright trace diff FILE FILE`.",
      },
    );
  }
  if (what === "diff") return compare(first, second ?? "", flags);
  const trace = await readTraceFile(first);
  print(showTrace(trace, second, flags));
  return 0;
}

function showTrace(trace: Trace, wanted: string | undefined, { budget, format, json }: ReadingFlags): string {
  const room = budget * charactersPerToken;
  if (wanted !== undefined) return sanitizeForTerminal(renderFound(trace, wanted, room));
  if (format === "html") return renderPage(trace);
  if (json || format === "json") {
    return `${JSON.stringify({ schema: "millwright.trace-show/1", ...jsonOf(trace) }, null, 2)}\n`;
  }
  return sanitizeForTerminal(renderTrace(trace, room));
}

function jsonOf({ head, command, processes }: Trace): object {
  return {
    target: head.target,
    command: { run: head.command, ...command },
    processes: makeProcessData(processes),
  };
}

async function compare(first: string, second: string, { json }: ReadingFlags): Promise<number> {
  const [a, b] = await Promise.all([readTraceFile(first), readTraceFile(second)]);
  const found = diffTraces(a.processes, b.processes, mostDivergences);
  if (json) print(`${JSON.stringify({ schema: "millwright.trace-diff/1", divergences: found }, null, 2)}\n`);
  else print(sanitizeForTerminal(renderDivergences(found)));
  return found.length === 0 ? 0 : differExitCode;
}

function print(text: string): void {
  process.stdout.write(text);
}
