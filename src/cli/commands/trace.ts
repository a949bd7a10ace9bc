import { type Command, InvalidArgumentError, Option } from "commander";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { parseDuration, parseSize } from "../../base/units.ts";
import { traceCommand } from "../../session/trace-session.ts";
import type { RecordedTrace } from "../../trace/record-trace.ts";
import { renderPage } from "../../trace/render/page.ts";
import { renderReport } from "../../trace/render/report.ts";
import { makeProcessData } from "../../trace/trace-data.ts";
import { readTraceText } from "../../trace/trace-file.ts";
import { hostOf } from "../host.ts";
import { withInterrupts } from "../interrupt.ts";
import { readSettings } from "../load-settings.ts";
import { addSettingFlags, solvingOnly } from "../setting-flags.ts";
import { isReading, readTraces } from "../trace-reading.ts";
import { readTraceRequest, type TraceFlags, withSpecFile } from "../trace-request.ts";

const defaultTimeoutMs = 10 * 60_000;
/** Approximate characters per token. */
const charactersPerToken = 4;

const help = `
Millwright instruments the chosen functions in a private copy, runs the command there, and never writes to the target. The command may fail: a failing test is a usual subject of a trace. The report gives the command's own exit code.
Exit codes: 0 calls were recorded, whatever the command's own exit code
11 no calls were recorded: the program did not build, or no chosen function was called
12 stopped at the time limit, with the calls recorded until then
2 wrong usage or configuration   3 infrastructure (sandbox, disk)   130 interrupted
millwright trace --instrument 'src/usage.rs:create_usage,Usage::*' -- cargo test help
millwright trace --instrument '**/*.py:*' --output trace.jsonl -- python -m pytest tests/test_parser.py
Read a kept trace again with
millwright trace show FILE [HANDLE or FUNCTION]   all of it, one call (#1.5) with its whole values, or the calls of a function
millwright trace diff FILE FILE                   where two runs first differ: exit code 0 if nowhere, 10 if somewhere`;

/** The initial value of a repeatable flag. */
const none: readonly string[] = [];

export function addTraceCommand(program: Command): void {
  const command = program
    .command("trace")
    .description("run a command in a private copy, and record the calls and values of chosen functions")
    .argument("[command...]", "the command with its arguments, after --")
    .option(
      "--target <dir>",
      "the project with the functions to trace; Millwright never writes to it [default: here]",
    )
    .option(
      "--workspace <dir>",
      "a second project that depends on the target by path. The command runs in a copy of the second project, with the instrumented target. You can also trace the second project's functions",
    )
    .option(
      "--spec <file>",
      "a file with the request: lines of test_project:, target_project:, instrument:, output:, exec:",
    )
    .option(
      "--instrument <path:names>",
      "the functions to trace: a file or glob of the target (or of the workspace), and names: 'src/a.rs:parse,Usage::*'; repeatable",
      (text: string, before: readonly string[]) => [...before, text],
      none,
    )
    .option(
      "--depth <n>",
      "also trace project functions that the chosen functions call, up to this call depth",
      readNumber,
      0,
    )
    .option("--max-records <n>", "maximum number of recorded calls for each process", readNumber, 50_000)
    .option("--max-bytes <size>", "maximum size of each process's trace", readSize, 32 * 1024 ** 2)
    .option(
      "--timeout <duration>",
      "time limit of the command and of all processes that it starts [default: 10m]",
      readDuration,
    )
    .option("--output <file>", "keep the whole trace in a file (JSON Lines)")
    .addOption(
      new Option("--format <name>", "format of the output").choices(["tree", "json", "html"]).default("tree"),
    )
    .option("--budget <tokens>", "approximate maximum length of the printed call tree", readNumber, 6000)
    .option("--json", "print one JSON document")
    .addHelpText("after", help);
  addSettingFlags(command, [...solvingOnly, "maxTime", "testCommand", "testTimeout"]);
  command.action(async (words: readonly string[], flags: TraceFlags) => {
    process.exitCode = await trace(words, flags);
  });
}

function readNumber(text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 0) return count;
  throw new InvalidArgumentError("Give a whole number.");
}

function readDuration(text: string): number {
  const duration = parseDuration(text);
  if (duration === undefined || duration <= 0) throw new InvalidArgumentError("Give a duration such as 10m.");
  return duration;
}

function readSize(text: string): number {
  const size = parseSize(text);
  if (size === undefined || size <= 0) throw new InvalidArgumentError("Give a size such as 32m.");
  return size;
}

async function trace(given: readonly string[], givenFlags: TraceFlags): Promise<number> {
  if (isReading(given, givenFlags)) return readTraces(given, givenFlags);
  const timeout = givenFlags.timeout ?? defaultTimeoutMs;
  const { flags, words } = withSpecFile({ ...givenFlags, timeout }, given);
  const request = readTraceRequest(flags, words);
  const settings = readSettings(request.repository, settingsOf(flags));
  const done = await withInterrupts((signal) =>
    traceCommand(request, flags, { host: hostOf(), settings, signal }),
  );
  print(done, flags);
  return done.report.exitCode;
}

function settingsOf(flags: TraceFlags): Record<string, unknown> {
  const {
    target: _t,
    workspace: _w,
    instrument: _i,
    spec: _s,
    depth: _d,
    maxRecords: _r,
    maxBytes: _b,
    timeout: _l,
    output: _o,
    format: _f,
    json: _j,
    budget: _u,
    ...settings
  } = flags;
  return settings;
}

function print({ report, processes, text }: RecordedTrace, { format, json, budget }: TraceFlags): void {
  const trace = format === "html" && text !== undefined ? readTraceText(text) : undefined;
  if (json || format === "json") {
    const document = { ...report, processes: makeProcessData(processes) };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  } else if (trace !== undefined) process.stdout.write(renderPage(trace));
  else
    process.stdout.write(sanitizeForTerminal(renderReport(report, processes, budget * charactersPerToken)));
}
