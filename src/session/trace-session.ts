/**
 * Traces a command over a private copy of the target. Performs the command `trace`, except its flags and its report.
 */
import { accessSync, constants, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import { tracers } from "../instrument/tracers/index.generated.ts";
import { type RecordedTrace, recordTrace, type TraceRecording } from "../trace/record-trace.ts";
import { linkBeside, redirectPackages, redirectPaths } from "../trace/redirect-paths.ts";
import type { AskedSpec } from "../trace/two-projects.ts";
import type { Checkout } from "../workspace/contract.ts";
import type { Host } from "./host.ts";
import { type KeptWorkspace, withKeptWorkspace } from "./kept-workspace.ts";
import type { Settings } from "./settings.ts";

/** Maximum recorded nesting of calls. Below: maximum characters of a value. */
const recordedNesting = 256;
const recordedValue = 2000;
/** The file in the kept copy's folder for a trace without a given file. */
const lastTrace = "trace.jsonl";
const diskExitCode = 3;

export interface TraceRequest {
  /** The folder to copy: the project that contains the target. */
  readonly repository: string;
  /** The target's path in the project; "" if the target is the project. Specs are relative to the repository. */
  readonly directory: string;
  readonly specs: readonly AskedSpec[];
  readonly command: readonly string[];
  /** A second project, outside the first. The command runs in it. */
  readonly project: string | undefined;
  /**
   * The command's working folder, relative to the second project's root. Without a second project, relative to the
   * repository.
   */
  readonly runDirectory: string;
}

export interface TraceOptions {
  /** The depth to which the trace includes callees of the chosen functions. */
  readonly depth: number;
  /** Maximum number of recorded calls of each process. `maxBytes`: maximum bytes of its trace. */
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Time limit in milliseconds. */
  readonly timeout: number;
  /** The file to which the session writes the whole trace. */
  readonly output?: string;
}

export interface TraceConditions {
  readonly host: Host;
  readonly settings: Settings;
  readonly signal: AbortSignal;
}

export async function traceCommand(
  request: TraceRequest,
  options: TraceOptions,
  { host, settings, signal }: TraceConditions,
): Promise<RecordedTrace> {
  const { repository, project } = request;
  return withKeptWorkspace({ host, repository, settings, signal }, async (opened) => {
    const output =
      options.output ?? (opened.directory === undefined ? undefined : join(opened.directory, lastTrace));
    if (output !== undefined) makeRoom(output);
    const checkout = await opened.workspace.openCheckout();
    const trace = (runner?: Runner): Promise<RecordedTrace> =>
      record(request, options, {
        host,
        opened,
        checkout,
        signal,
        ...(runner === undefined ? {} : { runner }),
      });
    const recorded =
      project === undefined
        ? await trace()
        : await withProject({ project, host, settings, signal, checkout, repository, opened }, trace);
    const other = opened.directory === undefined ? undefined : join(opened.directory, lastTrace);
    return keepTrace(recorded, output, other);
  });
}

/**
 * Removes an older trace, and checks that the file is writable. Does so before any run: an older trace must never be
 * mistaken for the new one.
 */
function makeRoom(output: string): void {
  try {
    if (statSync(output, { throwIfNoEntry: false })?.isDirectory()) throw new Error("this is a folder");
    accessSync(dirname(resolve(output)), constants.W_OK);
    rmSync(output, { force: true });
  } catch (cause) {
    throw new MillwrightError(
      "usage",
      `Millwright cannot write the trace to ${output}: ${messageOf(cause)}`,
      {
        cause,
      },
    );
  }
}

interface Runner {
  readonly checkout: Checkout;
  readonly second: NonNullable<TraceRecording["second"]>;
  readonly env: Readonly<Record<string, string>>;
}

interface Project extends TraceConditions {
  /** The second project. The command runs in it. */
  readonly project: string;
  /** The target's checkout. */
  readonly checkout: Checkout;
  readonly repository: string;
  readonly opened: KeptWorkspace;
}

function withProject<T>(
  { project, host, settings, signal, checkout, repository, opened }: Project,
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  const over = { directory: opened.directory, folder: checkout.folder };
  return withKeptWorkspace({ host, repository: project, settings, signal, over }, async ({ workspace }) => {
    const runner = await workspace.openCheckout({ beside: [checkout] });
    const { trees, base } = workspace;
    const isMoved = checkout.root !== repository;
    const places = { root: project, original: repository, copy: checkout.root };
    const tree = isMoved ? await redirectPaths({ trees, tree: base, ...places }) : base;
    await runner.lay(tree);
    if (isMoved) {
      redirectPackages(runner.folder, places);
      linkBeside(runner.folder, places);
    }
    return work({ checkout: runner, second: { trees, tree, place: project }, env: importPaths(checkout) });
  });
}

/** Returns variables with which a script of the project can import the target as in the target's own root. */
function importPaths({ root, exists }: Checkout): Record<string, string> {
  const isPython = ["pyproject.toml", "setup.py", "setup.cfg"].some((name) => exists(name));
  if (!isPython) return {};
  return { PYTHONPATH: [...(exists("src") ? [`${root}/src`] : []), root].join(":") };
}

interface Session extends Pick<TraceConditions, "host" | "signal"> {
  readonly opened: KeptWorkspace;
  readonly checkout: Checkout;
  readonly runner?: Runner;
}

function record(
  { repository, directory, specs, command, runDirectory }: TraceRequest,
  options: TraceOptions,
  { host, opened: { workspace, sandbox }, checkout, runner, signal }: Session,
): Promise<RecordedTrace> {
  return recordTrace({
    tracers,
    checkout,
    ...(runner === undefined ? {} : { runner: runner.checkout, second: runner.second, env: runner.env }),
    trees: workspace.trees,
    tree: workspace.base,
    specs,
    depth: options.depth,
    command,
    directory: runDirectory,
    timeoutMs: options.timeout,
    limits: {
      records: options.maxRecords,
      bytes: options.maxBytes,
      value: recordedValue,
      nesting: recordedNesting,
    },
    signal,
    target: join(repository, directory),
    sandbox,
    remarks: workspace.notices(),
    onRound: (round, weak) => host.onNotice({ level: "note", text: describeRound(round, weak) }),
  });
}

/**
 * Describes a repeated start. `weak`: number of functions with less detail; 0 if only the rendering of types did not
 * compile.
 */
function describeRound(round: number, weak: number): string {
  const less = weak === 0 ? "" : `; ${weak} ${weak === 1 ? "function has" : "functions have"} less detail`;
  return `the trace starts again (${round}), because the inserted code did not compile everywhere${less}`;
}

/** Keeps the trace. `other`: the file to use if `output` cannot be written. Reports the recorded calls in any case. */
async function keepTrace(
  recorded: RecordedTrace,
  output: string | undefined,
  other: string | undefined,
): Promise<RecordedTrace> {
  const { report, text } = recorded;
  if (output === undefined || text === undefined) return recorded;
  try {
    await writeFileAtomically(output, text, 0o666);
    return { ...recorded, report: { ...report, file: resolve(output) } };
  } catch (cause) {
    const message = `Millwright cannot write the trace to ${output}: ${messageOf(cause)}`;
    const isKept = other !== undefined && other !== output && (await writes(other, text));
    if (!isKept) throw new MillwrightError("disk", message, { cause });
    const remarks = [...report.remarks, `${message}; the trace is in ${other}`];
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
