/** Traces a command over a private copy of the target: what the command `trace` does between its flags and its report. */
import { rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import { tracers } from "../instrument/tracers/index.generated.ts";
import { type RecordedTrace, recordTrace, type TraceRecording } from "../trace/record-trace.ts";
import { redirectPackages, redirectPaths } from "../trace/redirect-paths.ts";
import type { Checkout } from "../workspace/contract.ts";
import { type KeptWorkspace, withKeptWorkspace } from "./kept-workspace.ts";
import { loadSettings, type Settings } from "./settings.ts";
import type { TraceFlags, TraceRequest } from "./trace-request.ts";

/** Nested calls, and characters of a value, that are recorded. */
const recordedNesting = 256;
const recordedValue = 2000;
/** In the kept copy's folder: the trace that nobody gave a file. */
const lastTrace = "trace.jsonl";

export async function traceCommand(
  request: TraceRequest,
  flags: TraceFlags,
  settingFlags: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<RecordedTrace> {
  const { repository, project } = request;
  const { settings, warnings } = loadSettings({ repository, environment: process.env, flags: settingFlags });
  for (const warning of warnings) process.stderr.write(`warning: ${warning}\n`);
  return withKeptWorkspace({ repository, settings, signal }, async (opened) => {
    const output =
      flags.output ?? (opened.directory === undefined ? undefined : join(opened.directory, lastTrace));
    // An older trace must never be taken for this one, however this one ends.
    if (output !== undefined) rmSync(output, { force: true });
    const checkout = await opened.workspace.openCheckout();
    const trace = (runner?: Runner): Promise<RecordedTrace> =>
      record(request, flags, { opened, checkout, signal, ...(runner === undefined ? {} : { runner }) });
    const recorded =
      project === undefined
        ? await trace()
        : await withProject({ project, settings, signal, checkout, repository, opened }, trace);
    return keepTrace(recorded, output);
  });
}

interface Runner {
  readonly checkout: Checkout;
  readonly second: NonNullable<TraceRecording["second"]>;
  readonly env: Readonly<Record<string, string>>;
}

interface Project {
  /** A second project, in which the command runs. */
  readonly project: string;
  readonly settings: Settings;
  readonly signal: AbortSignal;
  /** Of the target. */
  readonly checkout: Checkout;
  readonly repository: string;
  readonly opened: KeptWorkspace;
}

function withProject<T>(
  { project, settings, signal, checkout, repository, opened }: Project,
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  const over = { directory: opened.directory, folder: checkout.folder };
  return withKeptWorkspace({ repository: project, settings, signal, over }, async ({ workspace }) => {
    const runner = await workspace.openCheckout({ beside: [checkout] });
    const { trees, base } = workspace;
    const isMoved = checkout.root !== repository;
    const places = { root: project, original: repository, copy: checkout.root };
    const tree = isMoved ? await redirectPaths({ trees, tree: base, ...places }) : base;
    await runner.lay(tree);
    if (isMoved) redirectPackages(runner.folder, places);
    return work({ checkout: runner, second: { trees, tree, place: project }, env: importPaths(checkout) });
  });
}

/** The target can be imported by a script of the project's, as it could in its own root. */
function importPaths({ root, exists }: Checkout): Record<string, string> {
  const isPython = ["pyproject.toml", "setup.py", "setup.cfg"].some((name) => exists(name));
  if (!isPython) return {};
  return { PYTHONPATH: [...(exists("src") ? [`${root}/src`] : []), root].join(":") };
}

interface Session {
  readonly opened: KeptWorkspace;
  readonly checkout: Checkout;
  readonly runner?: Runner;
  readonly signal: AbortSignal;
}

function record(
  { repository, directory, specs, command, runDirectory }: TraceRequest,
  flags: TraceFlags,
  { opened: { workspace, sandbox }, checkout, runner, signal }: Session,
): Promise<RecordedTrace> {
  return recordTrace({
    tracers,
    checkout,
    ...(runner === undefined ? {} : { runner: runner.checkout, second: runner.second, env: runner.env }),
    trees: workspace.trees,
    tree: workspace.base,
    specs,
    depth: flags.depth,
    command,
    directory: runDirectory,
    timeoutMs: flags.timeout,
    limits: {
      records: flags.maxRecords,
      bytes: flags.maxBytes,
      value: recordedValue,
      nesting: recordedNesting,
    },
    signal,
    target: join(repository, directory),
    sandbox,
    remarks: workspace.notices(),
    onRound: (round, weak) => process.stderr.write(`note: ${describeRound(round, weak)}\n`),
  });
}

/** No function is recorded with less where it was the way in which a type is shown that did not compile. */
function describeRound(round: number, weak: number): string {
  const less =
    weak === 0 ? "" : `; ${weak} ${weak === 1 ? "function is" : "functions are"} recorded with less`;
  return `begun again (${round}), for what was added did not compile everywhere${less}`;
}

async function keepTrace(recorded: RecordedTrace, output: string | undefined): Promise<RecordedTrace> {
  if (output === undefined || recorded.text === undefined) return recorded;
  try {
    await writeFileAtomically(output, recorded.text);
  } catch (cause) {
    throw new MillwrightError("disk", `The trace cannot be written to ${output}`, { cause });
  }
  return { ...recorded, report: { ...recorded.report, file: resolve(output) } };
}
