/** From what is asked to what was recorded, over a tree that is there: the plan, the runs, the reading, the report. */
import { join } from "node:path";
import type { Tracer, TraceSpec } from "../instrument/tracer.ts";
import type { Checkout, TreeStore } from "../workspace/contract.ts";
import { planTrace } from "./plan-trace.ts";
import { type RanTrace, runTrace, type TraceLimits } from "./run-trace.ts";
import { readProcesses, type TraceHead, writeTraceText } from "./trace-file.ts";
import type { TraceProcess } from "./trace-model.ts";
import { makeTraceReport, type TraceReport } from "./trace-report.ts";

export interface TraceRecording {
  readonly tracers: readonly Tracer[];
  readonly checkout: Checkout;
  /** Where the command runs, if that is another project's, which sees the first one beside it. */
  readonly runner?: Checkout;
  /** Variables of the command. */
  readonly env?: Readonly<Record<string, string>>;
  readonly trees: TreeStore;
  /** What the command runs over, before it is instrumented. */
  readonly tree: string;
  /** Their paths are relative to the root of the tree. */
  readonly specs: readonly TraceSpec[];
  /** Callees of what is named, so many calls away, are traced too. */
  readonly depth: number;
  readonly command: readonly string[];
  /** In which the command runs, relative to its project's root. */
  readonly directory: string;
  readonly timeoutMs: number;
  readonly limits: TraceLimits;
  readonly signal: AbortSignal;
  /** The project's folder, and the sandbox's name, for the report. */
  readonly target: string;
  readonly sandbox: string;
  /** What is known before, for the report. */
  readonly remarks: readonly string[];
  /** When the command is begun again, with how many functions that are recorded with less. */
  onRound?(round: number, weak: number): void;
}

export interface RecordedTrace {
  readonly report: TraceReport;
  readonly processes: readonly TraceProcess[];
  /** The trace's file; undefined where nothing was recorded. */
  readonly text: string | undefined;
}

/** Throws MillwrightError("usage") for a path, name or language that cannot be traced. */
export async function recordTrace(recording: TraceRecording): Promise<RecordedTrace> {
  const { checkout, trees, tree, command } = recording;
  const runner = recording.runner ?? checkout;
  const scratch = {
    inside: `${runner.scratch.inside}/trace`,
    host: join(runner.scratch.host, "trace"),
  };
  const startedAt = new Date().toISOString();
  const planned = await planTrace({
    tracers: recording.tracers,
    sources: await sourcesOf(trees, tree),
    specs: recording.specs,
    depth: recording.depth,
    root: checkout.root,
    runtime: runner.runtime,
    scratch,
  });
  const ran = await runTrace({
    ...recording,
    base: tree,
    planned,
    scratch,
    onRound: (round, weak) => recording.onRound?.(round, weak),
  });
  const head: TraceHead = {
    k: "trace",
    schema: "millwright.trace-file/1",
    target: recording.target,
    root: checkout.root,
    command: [...command],
    startedAt,
    functions: ran.plans.map(({ languages, plan }) => ({
      languages: [...languages],
      functions: [...plan.functions],
    })),
  };
  const remarks = [...recording.remarks, ...remarksOf(planned.untraced, ran), ...loadingOf(ran)];
  return read(head, ran, { ...recording, remarks });
}

function read(
  head: TraceHead,
  ran: RanTrace,
  { command, target, sandbox, timeoutMs, remarks }: TraceRecording,
): RecordedTrace {
  const processes = readProcesses(head, ran.texts);
  const report = makeTraceReport({
    ran,
    processes,
    command,
    target,
    sandbox,
    file: undefined,
    timeoutMs,
    remarks,
  });
  const { end, exitCode, milliseconds, texts } = ran;
  const isEmpty = processes.every(({ calls }) => calls === 0);
  const { failedTests } = report;
  const told = failedTests.length === 0 ? {} : { failedTests: [...failedTests] };
  const ended = { k: "command", end, exitCode, milliseconds, ...told } as const;
  return { report, processes, text: isEmpty ? undefined : writeTraceText({ head, texts, command: ended }) };
}

function remarksOf(untraced: readonly string[], ran: RanTrace): string[] {
  return [
    ...untraced.map((language) => `files in ${language} are not traced`),
    ...(ran.leftOut === 0
      ? []
      : [`${ran.leftOut} processes' traces are left out, there was no room for them`]),
  ];
}

/** What kept a runtime from being loaded, or could have. */
function loadingOf({ joined, loaded, plans }: RanTrace): string[] {
  const isPython = plans.some(({ languages }) => languages.includes("python"));
  const notLoaded =
    "no Python loaded what records calls: none was started, or PYTHONPATH was set anew in a file, or it was started with -E, -I or -S";
  return [
    ...joined.map((name) => `the command sets ${name}: what records calls was put before its value`),
    ...(isPython && !loaded.includes("python") ? [notLoaded] : []),
  ];
}

/** The files of a tree, as tracers read them. */
export async function sourcesOf(trees: TreeStore, tree: string) {
  const entries = await trees.list(tree);
  return {
    files: entries.filter(({ mode }) => mode !== "120000").map(({ path }) => path),
    read: async (path: string) => (await trees.read(tree, path))?.toString("utf8"),
  };
}
