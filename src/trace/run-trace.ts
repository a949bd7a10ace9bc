/** Runs a command over the instrumented tree, repairs inserted code that does not compile, and collects the records. */
import { randomBytes } from "node:crypto";
import { rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { renderOutput } from "../base/captured-output.ts";
import type { TracePlan } from "../instrument/tracer.ts";
import type { CommandEnd } from "../sandbox/contract.ts";
import type { Checkout, TreeStore } from "../workspace/contract.ts";
import { ensureFolder } from "../workspace/file-writing.ts";
import { collectLines } from "./collect-lines.ts";
import { keepVariables } from "./keep-variables.ts";
import { type LanguagePlan, type PlannedTrace, writeScratch } from "./plan-trace.ts";
import { splitChanges, type TracedProjects } from "./two-projects.ts";

/**
 * Limits of each traced process. `records`: recorded calls; `bytes`: bytes of its file; `value`: characters of one
 * value.
 */
export interface TraceLimits {
  readonly records: number;
  readonly bytes: number;
  readonly value: number;
  /** Maximum nesting of recorded calls. */
  readonly nesting: number;
}

export interface TraceRun {
  /** The checkout of the instrumented tree. */
  readonly checkout: Checkout;
  /** The checkout in which the command runs, if it is another project's. Commands there also see the first project. */
  readonly runner?: Checkout;
  /**
   * The runner's own project, if its functions are traced too: its tree before instrumentation, and the prefix of its
   * paths in the plan.
   */
  readonly second?: {
    readonly trees: TreeStore;
    readonly base: string;
    readonly prefixes: TracedProjects["prefixes"];
  };
  /** Variables of the command, in addition to the tracers' own. */
  readonly env?: Readonly<Record<string, string>>;
  readonly trees: TreeStore;
  readonly base: string;
  readonly planned: PlannedTrace;
  /** The runner's folder for plans, which is only for traces. Its parent is the runner's scratch folder. */
  readonly scratch: { readonly inside: string; readonly host: string };
  readonly command: readonly string[];
  /** The folder in which the command starts, relative to the root. */
  readonly directory: string;
  /** Milliseconds for all rounds together. */
  readonly timeoutMs: number;
  readonly limits: TraceLimits;
  readonly signal: AbortSignal;
  onRound(round: number, healed: number): void;
}

export interface RanTrace {
  readonly end: CommandEnd;
  readonly exitCode: number | null;
  readonly milliseconds: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The recorded lines of each process. */
  readonly texts: readonly string[];
  readonly leftOut: number;
  /** Runtimes that confirmed their start. */
  readonly loaded: readonly string[];
  /** Our variables that the command overrides, with our value put before its own. */
  readonly joined: readonly string[];
  /** The executed plans, reduced where necessary. */
  readonly plans: readonly LanguagePlan[];
  /** Number of starts of the command. After the first, each has less inserted code. */
  readonly rounds: number;
  /** The compiler's first errors, if the program was not built. */
  readonly buildErrors: readonly string[];
}

/**
 * Maximum number of rounds. In the worst case, each round reduces only one function. The report names the remaining
 * errors.
 */
const mostRounds = 48;
/** Maximum number of bytes of output to keep, because compilers report errors anywhere in it. */
const outputBytes = 16 * 1024 * 1024;

export async function runTrace(run: TraceRun): Promise<RanTrace> {
  let plans = run.planned.plans;
  const deadline = performance.now() + run.timeoutMs;
  for (let round = 1; ; round += 1) {
    const ran = await runOnce(run, plans, Math.max(1, deadline - performance.now()));
    const failed = ran.end === "exited" && ran.exitCode !== 0;
    const healed = failed && round <= mostRounds ? await heal(plans, ran) : undefined;
    if (healed === undefined || run.signal.aborted) {
      const buildErrors = failed ? findBuildErrors(plans, ran) : [];
      return { ...ran, plans, rounds: round, buildErrors };
    }
    plans = healed;
    run.onRound(round + 1, countWeak(plans));
  }
}

async function runOnce(run: TraceRun, plans: readonly LanguagePlan[], timeoutMs: number) {
  const { scratch, limits } = run;
  await layPlans(run, plans);
  const name = `lines-${randomBytes(6).toString("hex")}`;
  const host = join(scratch.host, name);
  ensureFolder(dirname(scratch.host), basename(scratch.host), new Set([""]));
  writeScratch({ plans }, scratch.host);
  ensureFolder(scratch.host, name, new Set([""]));
  const env = joinSearchPaths(run.env ?? {}, envOf(plans));
  const { command, joined } = keepVariables(run.command, env);
  try {
    const result = await (run.runner ?? run.checkout).execute({
      run: [...plans.flatMap(({ plan }) => plan.starter ?? []), ...command],
      directory: run.directory,
      env: { ...env, ...traceVariables(`${scratch.inside}/${name}`, limits) },
      timeoutMs,
      outputBytes,
      signal: run.signal,
    });
    const { texts, leftOut, loaded } = await collectLines(host);
    return {
      end: result.end,
      exitCode: result.exitCode,
      milliseconds: result.durationMs,
      stdout: stripVTControlCharacters(renderOutput(result.stdout)),
      stderr: stripVTControlCharacters(renderOutput(result.stderr)),
      texts,
      leftOut,
      loaded,
      joined,
    };
  } finally {
    await rm(host, { recursive: true, force: true });
  }
}

async function layPlans(
  { checkout, runner, trees, base, second }: TraceRun,
  plans: readonly LanguagePlan[],
): Promise<void> {
  const none = { target: "", second: undefined };
  const changes = splitChanges(mergeChanges(plans), second?.prefixes ?? none);
  await checkout.lay(await trees.write(base, changes.target));
  if (second !== undefined) await runner?.lay(await second.trees.write(second.base, changes.second));
}

function traceVariables(folder: string, limits: TraceLimits): Record<string, string> {
  return {
    MILLWRIGHT_TRACE_DIR: folder,
    MILLWRIGHT_TRACE_DEPTH: String(limits.nesting),
    MILLWRIGHT_TRACE_RECORDS: String(limits.records),
    MILLWRIGHT_TRACE_BYTES: String(limits.bytes),
    MILLWRIGHT_TRACE_VALUE: String(limits.value),
  };
}

/** Joins two environments. In the interpreter's search path, a tracer's entries come before the project's. */
function joinSearchPaths(
  own: Readonly<Record<string, string>>,
  traced: Readonly<Record<string, string>>,
): Record<string, string> {
  const paths = [traced["PYTHONPATH"], own["PYTHONPATH"]].filter((path) => path !== undefined);
  return { ...own, ...traced, ...(paths.length === 0 ? {} : { PYTHONPATH: paths.join(":") }) };
}

function envOf(plans: readonly LanguagePlan[]): Record<string, string> {
  return Object.assign({}, ...plans.map(({ plan }) => plan.env));
}

function mergeChanges(plans: readonly LanguagePlan[]): TracePlan["changes"] {
  return plans.flatMap(({ plan }) => plan.changes);
}

/** Returns the reduced plans. Undefined if no plan's text causes an error in the output. */
async function heal(
  plans: readonly LanguagePlan[],
  output: { readonly stdout: string; readonly stderr: string },
): Promise<readonly LanguagePlan[] | undefined> {
  let changed = false;
  const healed: LanguagePlan[] = [];
  for (const { languages, plan } of plans) {
    const less = await plan.heal?.(output);
    if (less !== undefined) changed = true;
    healed.push({ languages, plan: less ?? plan });
  }
  return changed ? healed : undefined;
}

function findBuildErrors(
  plans: readonly LanguagePlan[],
  output: { readonly stdout: string; readonly stderr: string },
): string[] {
  return plans.flatMap(({ plan }) => plan.buildErrors?.(output) ?? []);
}

function countWeak(plans: readonly LanguagePlan[]): number {
  return plans
    .flatMap(({ plan }) => plan.functions)
    .filter(({ group, level }) => group !== "left-out" && level !== "values").length;
}
