/**
 * Millwright as a library: `import { solve } from "millwright"`. The caller passes the environment as a value, and
 * Millwright prints nothing. Functions throw a MillwrightError for an error. A reached limit or an unverified patch is
 * not an error: the report states it.
 */
import { findRun } from "./agent/run/run-store.ts";
import { type Switches, switchesSchema } from "./agent/switches.ts";
import type { Replay } from "./domain/replay.ts";
import type { RunEvent } from "./domain/run-event.ts";
import type { SolveReport } from "./domain/solve-report.ts";
import type { TaskKind } from "./domain/task.ts";
import type { UserQuestion } from "./domain/user-question.ts";
import type { Host, Notice } from "./session/host.ts";
import { performRun, type RunOptions } from "./session/perform-run.ts";
import { listRunsIn, type RunRecord, type RunSummary, readRunRecord } from "./session/read-runs.ts";
import { replayRun } from "./session/replay-run.ts";
import { findRepository } from "./session/repository.ts";
import { resumeRun } from "./session/resume-run.ts";
import { parseSettings, runsDirectoryOf, type SettingValues } from "./session/settings.ts";
import { startRun } from "./session/start-run.ts";

export type { RunDescription } from "./agent/run/run-store.ts";
export { type ErrorCode, MillwrightError } from "./base/errors.ts";
export type { Findings } from "./domain/finding.ts";
export type { Predicate } from "./domain/gate.ts";
export type { Outcome, Usage } from "./domain/solve-report.ts";
export type { Task } from "./domain/task.ts";
export type { RunState } from "./session/read-runs.ts";
export type {
  Notice,
  Replay,
  RunEvent,
  RunRecord,
  RunSummary,
  SettingValues,
  SolveReport,
  Switches,
  TaskKind,
  UserQuestion,
};

/**
 * Environment variables by name, `process.env` or a subset: for models, tests and the user's folders. docs/library.md
 * lists the other facts that Millwright reads from the process.
 */
export type Environment = Host["environment"];

export interface Caller {
  readonly environment: Environment;
  /** Stops the run. The promise then rejects with MillwrightError("interrupted"), and `resume` can continue the run. */
  readonly signal?: AbortSignal;
  /** Receives each event once it is on disk. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Receives facts that no event contains, such as a stronger sandbox that does not work here. */
  readonly onNotice?: (notice: Notice) => void;
  /**
   * Answers a question of the agent, or returns undefined for no answer. Without this function, the agent makes an
   * assumption.
   */
  readonly ask?: (question: UserQuestion) => Promise<string | undefined>;
}

export interface SolveOptions extends Caller {
  /** The repository's folder. Millwright writes to it only if `apply` is set. */
  readonly repository: string;
  /** The issue in words. Without an issue, the failing tests are the task. */
  readonly statement?: string;
  /**
   * Default `auto`: Millwright derives the kind from the options, the statement and the repository, or asks the model.
   */
  readonly kind?: TaskKind | "auto";
  /** Chooses among the failing tests, by id, name or file. */
  readonly failingTests?: readonly string[];
  /** `FILE:SYMBOL`, the place that the task is about. */
  readonly target?: string;
  /** An earlier attempt, as a unified diff. */
  readonly partialPatch?: string;
  /**
   * Applies a verified patch to the repository at the end. "partial": also applies a patch that repairs only some of
   * the failing tests.
   */
  readonly apply?: boolean | "partial";
  /** A folder that gets a copy of the models' calls. */
  readonly recordTo?: string;
  /** The settings of `millwright.config.json` (model, limits, sandbox …). Millwright does not read this file here. */
  readonly settings?: SettingValues;
  /** Disabled features of the agent. */
  readonly switches?: Partial<Switches>;
}

/** Solves a task in a repository and returns the report. Changes the repository only if `apply` is set. */
export async function solve(options: SolveOptions): Promise<SolveReport> {
  const { statement = "", kind = "auto", failingTests, target, partialPatch } = options;
  const { sandbox, directory } = await startRun({
    host: hostOf(options),
    settings: parseSettings(options.settings ?? {}),
    task: {
      kind,
      statement,
      repository: findRepository(options.repository),
      ...(failingTests === undefined ? {} : { failingTests: [...failingTests] }),
      ...(target === undefined ? {} : { target }),
      ...(partialPatch === undefined ? {} : { partialPatch }),
    },
    switches: switchesSchema.parse(options.switches ?? {}),
    apply: options.apply ?? false,
    recordTo: options.recordTo,
  });
  return performRun({ ...runOptions(options, directory), sandbox });
}

export interface RunsPlace {
  /** The environment, which determines the user's folder of runs. */
  readonly environment: Environment;
  /** The folder of all runs; default: the user's. */
  readonly runsDir?: string;
}

export interface RunName extends RunsPlace {
  /** The run's id, a unique part of the id, the run's folder, or `last`. */
  readonly run: string;
}

export interface AgainOptions extends Caller, RunName {
  /** A sandbox other than the run's. */
  readonly sandbox?: string;
  /** The repository's current path, if it has moved since the run. */
  readonly repository?: string;
}

/** Continues an interrupted or killed run. Returns the report if the run has already ended. */
export async function resume(options: AgainOptions): Promise<SolveReport> {
  return resumeRun(await againOptions(options));
}

/** Repeats a run as a new run with the recorded answers of its models, and compares the patches. */
export async function replay(options: AgainOptions): Promise<Replay> {
  return replayRun(await againOptions(options));
}

/** Reads a run's description and its events. Once the run has ended, also reads its report and findings. */
export async function readRun(name: RunName): Promise<RunRecord> {
  return readRunRecord(await findRun(runsDirectory(name), name.run));
}

/** Lists runs, newest first. */
export async function listRuns(place: RunsPlace): Promise<RunSummary[]> {
  return listRunsIn(runsDirectory(place));
}

async function againOptions(options: AgainOptions) {
  const { sandbox, repository } = options;
  const directory = await findRun(runsDirectory(options), options.run);
  return { ...runOptions(options, directory), surroundings: { sandbox, repository } };
}

function runsDirectory({ environment, runsDir }: RunsPlace): string {
  return runsDirectoryOf(runsDir === undefined ? {} : { runsDir }, environment);
}

function runOptions(caller: Caller, directory: string): RunOptions {
  const { onEvent = () => {}, signal = new AbortController().signal, ask } = caller;
  return { host: hostOf(caller), directory, onEvent, signal, ...(ask === undefined ? {} : { ask }) };
}

function hostOf({ environment, onNotice = () => {} }: Caller): Host {
  return { environment, onNotice };
}
