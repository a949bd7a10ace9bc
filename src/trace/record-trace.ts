/**
 * Records a trace of a command over an existing tree: plans it, runs the command, reads the recorded lines, and reports
 * the result.
 */

import { join } from "node:path";
import { countOf, wordFor } from "../base/count.ts";
import type { Tracer, TraceSources } from "../instrument/tracer.ts";
import type { Checkout, TreeStore } from "../workspace/contract.ts";
import { planTrace } from "./plan-trace.ts";
import { type RanTrace, runTrace, type TraceLimits, type TraceRun } from "./run-trace.ts";
import { readProcesses, type TraceHead, writeTraceText } from "./trace-file.ts";
import type { TraceProcess } from "./trace-model.ts";
import { makeTraceReport, type TraceReport } from "./trace-report.ts";
import { type AskedSpec, joinProjects, type TracedProjects } from "./two-projects.ts";

export interface TraceRecording {
  readonly tracers: readonly Tracer[];
  readonly checkout: Checkout;
  /** The checkout in which the command runs, if it is another project's. Commands there also see the first project. */
  readonly runner?: Checkout;
  /** The runner's own project, whose functions can be traced too: its tree, and the user's folder. */
  readonly second?: { readonly trees: TreeStore; readonly tree: string; readonly place: string };
  /** Additional variables for the command. */
  readonly env?: Readonly<Record<string, string>>;
  readonly trees: TreeStore;
  /** The tree for the command, before Millwright instruments it. */
  readonly tree: string;
  /** Requested functions. Paths are relative to the root of the tree. */
  readonly specs: readonly AskedSpec[];
  /** The depth to which the trace includes callees of the named functions. */
  readonly depth: number;
  readonly command: readonly string[];
  /** The command's working folder, relative to its project's root. */
  readonly directory: string;
  readonly timeoutMs: number;
  readonly limits: TraceLimits;
  readonly signal: AbortSignal;
  /** The project's folder and the sandbox's name, for the report. */
  readonly target: string;
  readonly sandbox: string;
  /** Earlier remarks, for the report. */
  readonly remarks: readonly string[];
  /** Called before each restart of the command, with the number of functions recorded with less detail. */
  onRound?(round: number, weak: number): void;
}

export interface RecordedTrace {
  readonly report: TraceReport;
  readonly processes: readonly TraceProcess[];
  /** The text of the trace's file; undefined if nothing was recorded. */
  readonly text: string | undefined;
}

/**
 * Runs a command and records its calls. Throws MillwrightError("usage") for a path, name or language that cannot be
 * traced.
 */
export async function recordTrace(recording: TraceRecording): Promise<RecordedTrace> {
  const { checkout, tree } = recording;
  const runner = recording.runner ?? checkout;
  const scratch = {
    inside: `${runner.scratch.inside}/trace`,
    host: join(runner.scratch.host, "trace"),
  };
  const startedAt = new Date().toISOString();
  const projects = await findProjects(recording);
  const planned = await planTrace({
    tracers: recording.tracers,
    sources: projects.sources,
    specs: projects.specs,
    depth: recording.depth,
    root: projects.root,
    runtime: runner.runtime,
    scratch,
    shown: projects.shown,
  });
  const ran = await runTrace({
    ...withoutSecond(recording),
    ...secondOf(recording, projects),
    base: tree,
    planned,
    scratch,
    onRound: (round, weak) => recording.onRound?.(round, weak),
  });
  const told = {
    ...ran,
    plans: showPaths(ran.plans, projects),
    buildErrors: ran.buildErrors.map((error) => withoutPrefix(error, projects)),
  };
  const remarks = [...recording.remarks, ...remarksOf(planned.untraced, ran), ...loadingOf(ran)];
  return read(makeHead(recording, projects, told, startedAt), told, { ...recording, remarks });
}

async function findProjects({ checkout, runner, trees, tree, specs, target, second }: TraceRecording) {
  const own = { root: checkout.root, place: target, sources: await sourcesOf(trees, tree) };
  if (second === undefined || runner === undefined) return joinProjects(specs, own, undefined);
  const sources = await sourcesOf(second.trees, second.tree);
  return joinProjects(specs, own, { root: runner.root, place: second.place, sources });
}

function withoutSecond({ second: _second, ...recording }: TraceRecording): Omit<TraceRecording, "second"> {
  return recording;
}

/** Additions for a trace of the second project's functions. Our wrappers must know both roots. */
function secondOf(
  { second, checkout, runner, env }: TraceRecording,
  { prefixes }: TracedProjects,
): Pick<TraceRun, "second" | "env"> {
  if (second === undefined || runner === undefined || prefixes.second === undefined) return {};
  return {
    second: { trees: second.trees, base: second.tree, prefixes },
    env: { ...env, MILLWRIGHT_TRACE_ROOTS: `${checkout.root}:${runner.root}` },
  };
}

function showPaths(plans: RanTrace["plans"], { shown }: TracedProjects): RanTrace["plans"] {
  return plans.map(({ languages, plan }) => ({
    languages,
    plan: { ...plan, functions: plan.functions.map((each) => ({ ...each, path: shown(each.path) })) },
  }));
}

/** Removes a project's prefix from the path at the beginning of a compiler's error. */
function withoutPrefix(error: string, { prefixes }: TracedProjects): string {
  const prefix = [prefixes.target, prefixes.second ?? ""].find((one) => one !== "" && error.startsWith(one));
  return error.slice(prefix?.length ?? 0);
}

function makeHead(
  { checkout, runner, command, target, second }: TraceRecording,
  { root, prefixes }: TracedProjects,
  ran: RanTrace,
  startedAt: string,
): TraceHead {
  const isTwo = second !== undefined && prefixes.second !== undefined;
  return {
    k: "trace",
    schema: "millwright.trace-file/1",
    target,
    root: checkout.root,
    ...(isTwo ? { base: root, second: { root: runner?.root ?? "", place: second.place } } : {}),
    command: [...command],
    startedAt,
    functions: ran.plans.map(({ languages, plan }) => ({
      languages: [...languages],
      functions: [...plan.functions],
    })),
  };
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
      : [
          `${countOf(ran.leftOut, "process's trace is", "processes' traces are")} dropped: there was no room for ${wordFor(ran.leftOut, "it", "them")}`,
        ]),
  ];
}

/** Remarks about runtimes that processes did not load, or possibly did not load. */
function loadingOf({ joined, loaded, plans }: RanTrace): string[] {
  return [
    ...joined.map((name) => `the command sets ${name}: Millwright put the tracer before its value`),
    ...plans.flatMap(({ plan: { confirms } }) =>
      confirms === undefined || loaded.includes(confirms.runtime) ? [] : [confirms.ifMissing],
    ),
  ];
}

/** Returns the files of a tree, in the form that tracers read. Leaves out symbolic links. */
export async function sourcesOf(trees: TreeStore, tree: string): Promise<TraceSources> {
  const entries = await trees.list(tree);
  return {
    files: entries.filter(({ mode }) => mode !== "120000").map(({ path }) => path),
    read: async (path: string) => (await trees.read(tree, path))?.toString("utf8"),
  };
}
