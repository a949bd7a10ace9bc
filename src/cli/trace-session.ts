/** Traces a command over a private copy of the target: what the command `trace` does between its flags and its report. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import type { TraceSources } from "../instrument/tracer.ts";
import { tracers } from "../instrument/tracers/index.generated.ts";
import { planTrace } from "../trace/plan-trace.ts";
import { type RanTrace, runTrace, type TraceLimits } from "../trace/run-trace.ts";
import { readProcesses, type TraceHead, writeTraceText } from "../trace/trace-file.ts";
import type { TraceProcess } from "../trace/trace-model.ts";
import { makeTraceReport, type TraceReport } from "../trace/trace-report.ts";
import type { Checkout, Workspace } from "../workspace/contract.ts";
import { loadSettings } from "./settings.ts";
import { withTemporaryWorkspace } from "./temporary-workspace.ts";
import type { TraceFlags, TraceRequest } from "./trace-request.ts";

/** Nested calls, and characters of a value, that are recorded. */
const recordedNesting = 256;
const recordedValue = 2000;

export interface DoneTrace {
  readonly report: TraceReport;
  readonly processes: readonly TraceProcess[];
}

export async function traceCommand(
  request: TraceRequest,
  flags: TraceFlags,
  settingFlags: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<DoneTrace> {
  const { repository } = request;
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: settingFlags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  // An older trace must never be taken for this one, however this one ends.
  if (flags.output !== undefined) rmSync(flags.output, { force: true });
  const startedAt = new Date().toISOString();
  return withTemporaryWorkspace({ repository, settings, signal }, async ({ workspace, sandbox }) => {
    const checkout = await workspace.openCheckout();
    const { ran, remarks } = await planAndRun(request, flags, { workspace, checkout }, signal);
    const head: TraceHead = {
      k: "trace",
      schema: "millwright.trace-file/1",
      target: join(repository, request.directory),
      command: [...request.command],
      startedAt,
      functions: ran.plans.map(({ languages, plan }) => ({
        languages: [...languages],
        functions: [...plan.functions],
      })),
    };
    const processes = readProcesses(head, ran.texts);
    const recorded = processes.some(({ calls }) => calls > 0);
    const file = recorded ? flags.output : undefined;
    if (file !== undefined) await writeTrace(file, head, ran);
    const report = makeTraceReport({
      ran,
      processes,
      command: request.command,
      target: head.target,
      sandbox,
      file,
      timeoutMs: flags.timeout,
      remarks,
    });
    return { report, processes };
  });
}

async function writeTrace(file: string, head: TraceHead, ran: RanTrace): Promise<void> {
  const { end, exitCode, milliseconds, texts } = ran;
  const text = writeTraceText({ head, texts, command: { k: "command", end, exitCode, milliseconds } });
  try {
    await writeFileAtomically(file, text);
  } catch (cause) {
    throw new MillwrightError("disk", `The trace cannot be written to ${file}`, { cause });
  }
}

async function planAndRun(
  request: TraceRequest,
  flags: TraceFlags,
  { workspace, checkout }: { workspace: Workspace; checkout: Checkout },
  signal: AbortSignal,
): Promise<{ ran: RanTrace; remarks: string[] }> {
  const scratch = {
    inside: `${checkout.scratch.inside}/trace`,
    host: join(checkout.scratch.host, "trace"),
  };
  const planned = await planTrace({
    tracers,
    sources: await sourcesOf(workspace),
    specs: request.specs,
    depth: flags.depth,
    root: checkout.root,
    runtime: checkout.runtime,
    scratch,
  });
  const ran = await runTrace({
    checkout,
    trees: workspace.trees,
    base: workspace.base,
    planned,
    scratch,
    command: request.command,
    directory: request.directory,
    timeoutMs: flags.timeout,
    limits: limitsOf(flags),
    signal,
    onRound: (round, weak) =>
      process.stderr.write(`note: begun again (${round}): ${weak} functions are recorded with less\n`),
  });
  const remarks = [
    ...workspace.notices(),
    ...planned.untraced.map((language) => `files in ${language} are not traced`),
    ...(ran.leftOut === 0
      ? []
      : [`${ran.leftOut} processes' traces are left out, there was no room for them`]),
  ];
  return { ran, remarks };
}

function limitsOf({ maxRecords, maxBytes }: TraceFlags): TraceLimits {
  return { records: maxRecords, bytes: maxBytes, value: recordedValue, nesting: recordedNesting };
}

async function sourcesOf({ trees, base }: Workspace): Promise<TraceSources> {
  const entries = await trees.list(base);
  return {
    files: entries.filter(({ mode }) => mode !== "120000").map(({ path }) => path),
    read: async (path) => (await trees.read(base, path))?.toString("utf8"),
  };
}
