/**
 * Performs one run from its first event to its report: opens the workspace, lets the strategy work, writes its
 * findings.
 */
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { MillwrightError } from "../../base/errors.ts";
import type { Redactor } from "../../base/redact.ts";
import type { Findings } from "../../domain/finding.ts";
import { eventsVersion, type RunEvent } from "../../domain/run-event.ts";
import type { SolveReport } from "../../domain/solve-report.ts";
import type { KindChoice } from "../../domain/task.ts";
import type { TestFramework } from "../../languages/contract.ts";
import type { ModelClient } from "../../llm/contract.ts";
import type { Workspace } from "../../workspace/contract.ts";
import { usageOf } from "../record/costs.ts";
import { createLimits } from "../record/limits.ts";
import { metAgain } from "../record/met-limits.ts";
import { type Notes, remarkOnce } from "../record/once.ts";
import { openPace, type Pace } from "../record/pace.ts";
import { openRecorder, type Recorder } from "../record/recorder.ts";
import { redactReport } from "../record/redact-record.ts";
import { type Told, toldBy } from "../record/told-by.ts";
import {
  type CodeSources,
  describeDecoding,
  type Strategy,
  type StrategyContext,
  type StrategyEnd,
} from "../strategy.ts";
import { defaultSwitches } from "../switches.ts";
import {
  addNote,
  commandIn,
  isWholeIn,
  type Note,
  noteOf,
  notesSchema,
  readNotes,
  recall,
  testTimesIn,
} from "./memory.ts";
import { paceOf } from "./pace-of.ts";
import { renderReport } from "./report-markdown.ts";
import { lockRun, type RunDescription } from "./run-store.ts";
import { settleKind } from "./settle-kind.ts";
import { makeReport, withTimeLimit } from "./solve-report.ts";

export interface RunTaskOptions {
  readonly directory: string;
  readonly description: RunDescription;
  readonly strategy: Strategy;
  readonly frameworks: readonly TestFramework[];
  /** Opens the workspace in a folder of the run. `base`: the base of a resumed run. */
  readonly openWorkspace: (folder: string, base: string | undefined) => Promise<Workspace>;
  /** The models; absent in a run without a model. */
  readonly models?: ModelClient;
  /** The folder of the recording from which the models answer. */
  readonly replayed?: string | undefined;
  readonly code?: CodeSources;
  /** All strategies, for one that runs others. */
  readonly strategies?: readonly Strategy[];
  /** Removes secrets from all texts that the run writes, shows or returns. */
  readonly redactor: Redactor;
  /** Asks the user; absent if nobody can answer. */
  readonly ask?: StrategyContext["ask"];
  /** Applies the patch at the end of the run, if the user wants this. Returns a remark for the report. */
  readonly apply?: (workspace: Workspace, tree: string) => Promise<string>;
  readonly onEvent: (event: RunEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs a task, or continues its run. Returns the report; if the run has already ended, the recorded report. Returns
 * undefined if the signal interrupts the run. Throws MillwrightError if the infrastructure fails. The caller can resume
 * the run after an interruption or an error.
 */
export async function runTask(options: RunTaskOptions): Promise<SolveReport | undefined> {
  const unlock = lockRun(options.directory);
  try {
    const { original } = options.description;
    let notes: Notes | undefined;
    const recorder: Recorder = await openRecorder(options.directory, options.onEvent, options.redactor, {
      original,
      pace: openPaceOf(options, () => notes),
    });
    notes = recorder;
    try {
      const ended = recorder.events.find((event) => event.event === "run-ended");
      return ended === undefined ? await work(options, recorder) : ended.report;
    } catch (error) {
      if (!options.signal.aborted) throw error;
      const { reason } = options.signal;
      const why = reason instanceof MillwrightError ? reason.message : "interrupted by the user";
      recorder.append({ event: "run-interrupted", reason: why });
      return undefined;
    } finally {
      recorder.close();
    }
  } finally {
    unlock();
  }
}

/** Opens the run's pace. `notes`: returns the record once it is open. */
function openPaceOf(
  { directory, description, replayed }: RunTaskOptions,
  notes: () => Notes | undefined,
): Pace | undefined {
  if (description.model === null) return undefined;
  return openPace({
    folder: join(directory, "calls"),
    replayed,
    of: () => paceOf(description, notes()?.events.find((event) => event.event === "workspace-opened")?.base),
    warn(text) {
      const record = notes();
      if (record !== undefined) remarkOnce(record, text);
    },
  });
}

async function work(options: RunTaskOptions, recorder: Recorder): Promise<SolveReport> {
  const { description, strategy, signal } = options;
  const { usedMs } = recorder;
  const started = performance.now();
  start(description, strategy, recorder);
  recorder.append({ event: "phase-started", phase: "prepare", title: "copy the repository" });
  const workspace = await openRecordedWorkspace(options, recorder);
  try {
    const { maxMs, maxSteps, maxUsd } = description.limits;
    const bounds = createLimits({ maxMs, maxSteps, usedMs });
    const models = options.models?.watchedBy(recorder.calls.watch);
    const limits = metAgain(bounds, recorder, models);
    const noted = await recallNotes(description, recorder);
    const inTime = withinTime(models, bounds.remainingMs());
    const { decoding = {} } = strategy;
    const asking = { models: inTime, limits, signal, decoding, workspace, recorder };
    const { task, choice } = await settleKind(asking, description);
    const ended = await strategy.run({
      task,
      ...(choice === undefined ? {} : { kindChoice: choice }),
      workspace,
      frameworks: options.frameworks,
      testCommand: description.testCommand,
      testTimeoutMs: description.testTimeoutMs,
      models: inTime,
      recorder,
      ...(options.code === undefined ? {} : { code: options.code }),
      ...(options.ask === undefined ? {} : { ask: options.ask }),
      ...{ notes: recall(noted), rememberedCommand: commandIn(noted) },
      ...{ rememberedTimes: testTimesIn(noted), rememberedWhole: isWholeIn(noted) },
      limits,
      switches: description.switches ?? defaultSwitches,
      decoding,
      samples: description.samples,
      ...(description.arms === undefined ? {} : { arms: description.arms }),
      ...(options.strategies === undefined ? {} : { strategies: options.strategies }),
      ...(maxUsd === undefined ? {} : { maxUsd }),
      ...{ agentCommand: description.agentCommand, agentFolder: description.agentFolder },
      parallel: description.parallel,
      signal,
    });
    signal.throwIfAborted();
    const end = withTimeLimit(ended, limits);
    const applied = await applyIfAsked(options, recorder, workspace, end);
    const made = await makeReport({
      description,
      directory: options.directory,
      workspace,
      end,
      kind: newestKind(recorder.events),
      usage: usageOf(recorder.events),
      seconds: (usedMs + performance.now() - started) / 1000,
    });
    const report = redactReport(options.redactor, made);
    const findings = redactReport(options.redactor, applied.findings);
    await writeReports(options.directory, report, findings, toldBy(recorder.events));
    await writeNote(options, workspace, end, report);
    recorder.append({ event: "run-ended", report, findings });
    return report;
  } finally {
    await workspace.close();
    if (recorder.events.at(-1)?.event === "run-ended") await removeWorkspace(options.directory);
  }
}

function newestKind(events: readonly RunEvent[]): KindChoice | undefined {
  return events.findLast((event) => event.event === "kind-chosen");
}

/** Limits the models to the run's time. Neither waiting for an answer nor a request to call later may exceed it. */
function withinTime(models: ModelClient | undefined, ms: number): ModelClient | undefined {
  return Number.isFinite(ms) ? models?.within({ ms }) : models;
}

function start(description: RunDescription, decided: Strategy, recorder: Recorder): void {
  if (recorder.events.some((event) => event.event === "run-started")) {
    recorder.append({ event: "run-resumed", sandbox: description.sandbox });
    return;
  }
  const { run, task, strategy, sandbox } = description;
  const decoded =
    decided.needsModel === true ? { decoding: describeDecoding(decided, decided.decoding) } : {};
  recorder.append({ event: "run-started", schema: eventsVersion, run, task, strategy, sandbox, ...decoded });
}

/** Reads the notes once in the run's life, so that a resumed run begins with the same notes. */
async function recallNotes(
  { notesFile, recalled }: RunDescription,
  recorder: Recorder,
): Promise<readonly Note[]> {
  if (recalled !== undefined) return notesSchema.parse(recalled);
  if (notesFile === undefined) return [];
  const title = "recall notes of earlier runs";
  return recorder.step({ key: "notes", title, schema: notesSchema }, () => readNotes(notesFile));
}

async function writeNote(
  { description: { notesFile, task, startedAt }, redactor }: RunTaskOptions,
  { trees, base }: Workspace,
  end: StrategyEnd,
  report: SolveReport,
): Promise<void> {
  if (notesFile === undefined) return;
  const files = (await trees.list(base)).map(({ path }) => path);
  await addNote(notesFile, task.repository, redactor.data(noteOf(end, report, { startedAt, files })));
}

async function openRecordedWorkspace(options: RunTaskOptions, recorder: Recorder): Promise<Workspace> {
  const folder = join(options.directory, "workspace");
  const opened = recorder.events.find((event) => event.event === "workspace-opened");
  // Without a recorded base, an earlier process died while copying: its incomplete copy is removed.
  if (opened === undefined) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const workspace = await options.openWorkspace(folder, opened?.base);
  if (opened === undefined) {
    const files = (await workspace.trees.list(workspace.base)).length;
    const commit = workspace.commit === undefined ? {} : { commit: workspace.commit };
    recorder.append({ event: "workspace-opened", base: workspace.base, files, ...commit });
    for (const text of workspace.notices()) recorder.append({ event: "remark-made", level: "note", text });
  }
  return workspace;
}

async function applyIfAsked(
  options: RunTaskOptions,
  recorder: Recorder,
  workspace: Workspace,
  end: StrategyEnd,
): Promise<StrategyEnd> {
  const { apply } = options.description;
  if (apply === false || options.apply === undefined || end.candidate === undefined) return end;
  const said =
    end.outcome === "verified" || (apply === "partial" && end.repairsSome === true)
      ? await options.apply(workspace, end.candidate.tree)
      : "Millwright did not apply the patch to the repository, because the patch is not verified. The file patch.diff contains it.";
  recorder.append({ event: "remark-made", level: "note", text: said });
  return { ...end, findings: { ...end.findings, remarks: [...end.findings.remarks, said] } };
}

async function writeReports(
  directory: string,
  report: SolveReport,
  findings: Findings,
  told: Told,
): Promise<void> {
  await writeFileAtomically(join(directory, "patch.diff"), report.patch);
  if (report.testsPatch !== undefined)
    await writeFileAtomically(join(directory, "tests.diff"), report.testsPatch);
  await writeFileAtomically(join(directory, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  await writeFileAtomically(join(directory, "report.md"), renderReport(report, findings, told));
}

/** Removes the workspace, because only `resume` needs its trees. The patch and the record stay. */
async function removeWorkspace(directory: string): Promise<void> {
  await rm(join(directory, "workspace"), { recursive: true, force: true });
}
