/** Traces a command over a private copy of the target: what the command `trace` does between its flags and its report. */
import { accessSync, constants, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
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
const diskExitCode = 3;

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
    if (output !== undefined) makeRoom(output);
    const checkout = await opened.workspace.openCheckout();
    const trace = (runner?: Runner): Promise<RecordedTrace> =>
      record(request, flags, { opened, checkout, signal, ...(runner === undefined ? {} : { runner }) });
    const recorded =
      project === undefined
        ? await trace()
        : await withProject({ project, settings, signal, checkout, repository, opened }, trace);
    const other = opened.directory === undefined ? undefined : join(opened.directory, lastTrace);
    return keepTrace(recorded, output, other);
  });
}

/** Before anything is run: an older trace must never be taken for the new one, however that ends, and it has to have a place. */
function makeRoom(output: string): void {
  try {
    if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) throw new Error("it is a folder");
    accessSync(dirname(resolve(output)), constants.W_OK);
    rmSync(output, { force: true });
  } catch (cause) {
    throw new MillwrightError("usage", `The trace cannot be written to ${output}: ${messageOf(cause)}`, {
      cause,
    });
  }
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

/** `other`: where it is kept if it cannot be in `output`; what was recorded is told all the same. */
async function keepTrace(
  recorded: RecordedTrace,
  output: string | undefined,
  other: string | undefined,
): Promise<RecordedTrace> {
  const { report, text } = recorded;
  if (output === undefined || text === undefined) return recorded;
  try {
    await writeFileAtomically(output, text);
    return { ...recorded, report: { ...report, file: resolve(output) } };
  } catch (cause) {
    const message = `The trace cannot be written to ${output}: ${messageOf(cause)}`;
    const isKept = other !== undefined && other !== output && (await writes(other, text));
    if (!isKept) throw new MillwrightError("disk", message, { cause });
    const remarks = [...report.remarks, `${message}; it is kept in the file that is named here`];
    return { ...recorded, report: { ...report, remarks, file: other, exitCode: diskExitCode } };
  }
}

function writes(path: string, text: string): Promise<boolean> {
  return writeFileAtomically(path, text).then(
    () => true,
    () => false,
  );
}

function messageOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
