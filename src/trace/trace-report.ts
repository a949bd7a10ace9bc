/** The result of a trace as data. It is the document of `--json`, and the source of the text for people. */

import { countOf } from "../base/count.ts";
import { interruptedExitCode } from "../base/errors.ts";
import type { TracedFunction } from "../instrument/tracer.ts";
import { findFailedTests } from "./failed-tests.ts";
import type { RanTrace } from "./run-trace.ts";
import type { CalledFunction, TraceProcess } from "./trace-model.ts";

export type TraceOutcome = "recorded" | "nothing-recorded" | "build-failed" | "timed-out" | "interrupted";

export const traceExitCodes: Readonly<Record<TraceOutcome, number>> = {
  recorded: 0,
  "nothing-recorded": 11,
  "build-failed": 11,
  "timed-out": 12,
  interrupted: interruptedExitCode,
};

export interface TraceReport {
  readonly schema: "millwright.trace/1";
  readonly outcome: TraceOutcome;
  readonly reason: string;
  readonly exitCode: number;
  readonly target: string;
  readonly sandbox: string;
  readonly command: {
    readonly run: readonly string[];
    readonly end: RanTrace["end"];
    readonly exitCode: number | null;
    /** The signal that ended the command or a process that it started, such as `SIGABRT`. */
    readonly signal?: string;
    readonly seconds: number;
    /** The end of the command's output, for each stream. */
    readonly stdout: string;
    readonly stderr: string;
  };
  /** The trace's file; absent if nothing was recorded. */
  readonly file?: string;
  /** The number of starts; more than one if our text did not compile in some functions. */
  readonly rounds: number;
  readonly buildErrors: readonly string[];
  /** Failed tests of the trace, according to the command's output; none after exit code 0. */
  readonly failedTests: readonly string[];
  readonly functions: FunctionCounts;
  /** Functions recorded with less detail or not at all, with the reason. */
  readonly weakened: readonly ReasonedFunction[];
  readonly leftOut: readonly ReasonedFunction[];
  readonly remarks: readonly string[];
}

interface FunctionCounts {
  /** Number of requested functions and tests that the tracers can record. */
  readonly traced: number;
  readonly called: number;
  readonly leftOut: number;
}

interface ReasonedFunction {
  readonly name: string;
  readonly path: string;
  readonly line: number;
  readonly level: TracedFunction["level"];
  readonly reason: string;
}

export interface ReportInput {
  readonly ran: RanTrace;
  readonly processes: readonly TraceProcess[];
  readonly command: readonly string[];
  readonly target: string;
  readonly sandbox: string;
  readonly file: string | undefined;
  readonly timeoutMs: number;
  readonly remarks: readonly string[];
}

/** Number of characters from a stream's end. */
const streamTail = 4000;
const mostErrors = 10;

export function makeTraceReport(input: ReportInput): TraceReport {
  const { ran, processes, file } = input;
  const functions = ran.plans.flatMap(({ plan }) => plan.functions);
  const outcome = outcomeOf(ran, processes);
  const signal = signalOf(ran);
  return {
    schema: "millwright.trace/1",
    outcome,
    reason: reasonOf(outcome, input, signal),
    exitCode: traceExitCodes[outcome],
    target: input.target,
    sandbox: input.sandbox,
    command: {
      run: input.command,
      end: ran.end,
      exitCode: ran.exitCode,
      ...(signal === undefined ? {} : { signal }),
      seconds: ran.milliseconds / 1000,
      stdout: ran.stdout.slice(-streamTail),
      stderr: ran.stderr.slice(-streamTail),
    },
    ...(file === undefined ? {} : { file }),
    rounds: ran.rounds,
    buildErrors: ran.buildErrors.slice(0, mostErrors),
    failedTests: ran.exitCode === 0 ? [] : findFailedTests(processes, `${ran.stdout}\n${ran.stderr}`),
    functions: countFunctions(functions, processes),
    weakened: functions.filter((each) => !isLeftOut(each) && each.level !== "values").map(withReason),
    leftOut: functions.filter(isLeftOut).map(withReason),
    remarks: input.remarks,
  };
}

function outcomeOf(ran: RanTrace, processes: readonly TraceProcess[]): TraceOutcome {
  if (ran.end === "aborted") return "interrupted";
  if (ran.end === "timed-out") return "timed-out";
  if (processes.some(({ calls }) => calls > 0)) return "recorded";
  return ran.buildErrors.length > 0 ? "build-failed" : "nothing-recorded";
}

function reasonOf(outcome: TraceOutcome, input: ReportInput, signal: string | undefined): string {
  const { ran, processes, timeoutMs } = input;
  const calls = processes.reduce((sum, process) => sum + process.calls, 0);
  const recorded = `${countOf(calls, "call")} of ${countOf(processes.length, "process")} ${calls === 1 ? "was" : "were"} recorded`;
  switch (outcome) {
    case "build-failed":
      return "the program did not build, so nothing was recorded";
    case "timed-out":
      return `Millwright stopped the command at the limit of ${timeoutMs / 1000} s; until then ${recorded}`;
    case "interrupted":
      return `the trace was interrupted; until then ${recorded}`;
    case "nothing-recorded":
      return `the command ${describeEnd(ran, signal)}, and none of the chosen functions was called`;
    case "recorded":
      return `the command ${describeEnd(ran, signal)}; ${recorded}`;
  }
}

function describeEnd({ end, exitCode }: RanTrace, signal: string | undefined): string {
  if (end === "out-of-memory") return "ran out of memory";
  if (end === "signalled")
    return signal === undefined ? `ended by a signal (${exitCode})` : endOfSignal(signal);
  const inside = signal === undefined ? "" : `; one of its processes ${endOfSignal(signal)}`;
  return `ended with exit code ${exitCode}${inside}`;
}

function endOfSignal(signal: string): string {
  return signal === "SIGABRT" ? "aborted (SIGABRT)" : `was ended by ${signal}`;
}

const signals: Readonly<Record<number, string>> = {
  2: "SIGINT",
  4: "SIGILL",
  6: "SIGABRT",
  7: "SIGBUS",
  8: "SIGFPE",
  9: "SIGKILL",
  11: "SIGSEGV",
  13: "SIGPIPE",
  15: "SIGTERM",
};

/**
 * Returns the signal that ended the command. If no signal ended it, returns the signal that ended one of the command's
 * processes, as its output says (cargo: `signal: 6, SIGABRT`).
 */
function signalOf({ end, exitCode, stderr }: RanTrace): string | undefined {
  if (end === "signalled") return signals[(exitCode ?? 0) - 128];
  if (end !== "exited" || exitCode === 0) return undefined;
  const told = /\(signal: (\d+)(?:, (SIG[A-Z]+))?/.exec(stderr);
  if (told !== null) return told[2] ?? signals[Number(told[1])];
  return exitCode !== null && exitCode > 128 ? signals[exitCode - 128] : undefined;
}

function countFunctions(
  functions: readonly TracedFunction[],
  processes: readonly TraceProcess[],
): FunctionCounts {
  const called = new Set<CalledFunction>();
  for (const { roots } of processes) {
    const waiting = [...roots];
    for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
      called.add(call.function);
      for (const child of call.children) waiting.push(child);
    }
  }
  // Each process has its own record of functions that a runtime names.
  const names = new Set([...called].map(({ name, path, line }) => `${path}:${line} ${name}`));
  return {
    traced: functions.filter(({ group, level }) => group !== "left-out" && level !== "none").length,
    called: names.size,
    leftOut: functions.filter(isLeftOut).length,
  };
}

/** True for functions left out of the trace. These include tests whose body is an anonymous callback. */
function isLeftOut({ group, level }: TracedFunction): boolean {
  return group === "left-out" || (group === "test" && level === "none");
}

function withReason({ name, path, line, level, reason }: TracedFunction): ReasonedFunction {
  return { name, path, line, level, reason: reason ?? "the tracer gives no reason" };
}
