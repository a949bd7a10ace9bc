/** Makes one attempt at a benchmark's task, in a process that knows only the facts that an agent may see. */
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { usageOf } from "../agent/record/costs.ts";
import { readEvents } from "../agent/record/recorder.ts";
import { isRunAlive, readRun } from "../agent/run/run-store.ts";
import { asDiskError, MillwrightError } from "../base/errors.ts";
import { type AttemptRequest, type AttemptResult, failedAttempt } from "../bench/attempt.ts";
import type { SolveReport, StatedUsage } from "../domain/solve-report.ts";
import type { ModelFailure } from "../llm/contract.ts";
import type { Host } from "./host.ts";
import { performRun, type RunOptions } from "./perform-run.ts";
import { findRepository } from "./repository.ts";
import { resumeRun } from "./resume-run.ts";
import { parseSettings } from "./settings.ts";
import { startRun } from "./start-run.ts";

export interface AttemptContext {
  readonly host: Host;
  readonly signal: AbortSignal;
}

/**
 * Makes an attempt, or continues the run of a process that ended early. If the model's provider fails permanently,
 * stops the run; the next process then continues it. Throws if the signal stopped the attempt, or if the run was
 * interrupted. Converts any other error to a failed attempt.
 */
export async function makeAttempt(request: AttemptRequest, context: AttemptContext): Promise<AttemptResult> {
  const { run } = request;
  const started = performance.now();
  const stop = new AbortController();
  let outage: ModelFailure | undefined;
  const onOutage = (failure: ModelFailure): void => {
    outage ??= failure;
    stop.abort(new MillwrightError("model", tellOutage(failure)));
  };
  try {
    const signal = AbortSignal.any([context.signal, stop.signal]);
    const report = await solveTask(request, { ...context, signal, onOutage });
    const { outcome: verdict, strength = null, patch, reason, seconds, usage } = report;
    if (report.failed !== undefined)
      return { ...failedAttempt(run, "agent-error", report.failed, seconds), usage };
    return { state: "ended", reason, patch, verdict, strength, run, seconds, usage };
  } catch (thrown) {
    const error = asDiskError(thrown);
    if (context.signal.aborted) throw error;
    if (outage !== undefined) {
      const failed = failedAttempt(run, "infrastructure-error", tellOutage(outage), secondsSince(started));
      return { ...failed, outage: outage.kind, usage: await usageSoFar(request) };
    }
    if (!(error instanceof MillwrightError)) return failedAttempt(run, "agent-error", describeDefect(error));
    if (error.code === "interrupted") throw error;
    const state = error.code === "internal" ? "agent-error" : "infrastructure-error";
    return failedAttempt(run, state, [error.message, error.hint].filter(Boolean).join(". "));
  }
}

function secondsSince(started: number): number {
  return (performance.now() - started) / 1000;
}

/** Returns the usage by the run's calls, over all its processes. */
async function usageSoFar({ runsDirectory, run }: AttemptRequest): Promise<StatedUsage> {
  return usageOf(await readEvents(join(runsDirectory, run, "events.jsonl")).catch(() => []));
}

function tellOutage({ kind, message }: ModelFailure): string {
  if (kind !== "not-recorded") return `the model's provider failed: ${message}`;
  return `the model has no recorded answer. Repeat the attempt as it was recorded (version, settings, folders), add the answer to the recording, or replay similar requests (replay-similar:FOLDER). ${message}`;
}

/** Describes a defect of the agent's code. The attempt then counts as failed, as after a crash. */
function describeDefect(error: unknown): string {
  return `the agent broke: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`.slice(
    0,
    600,
  );
}

async function solveTask(
  { run, runsDirectory, since, task, settings, switches }: AttemptRequest,
  { host, signal, onOutage }: AttemptContext & Pick<RunOptions, "onOutage">,
): Promise<SolveReport> {
  const directory = join(runsDirectory, run);
  const own = parseSettings(settings);
  const options = {
    host,
    directory,
    onEvent: () => {},
    signal,
    batchBudget: own.batchBudget,
    ...(onOutage === undefined ? {} : { onOutage }),
  };
  await leaveToDying(directory);
  if (existsSync(join(directory, "run.json")) && !(await isEarlier(directory, since)))
    return resumeRun(options);
  await rm(directory, { recursive: true, force: true });
  const { sandbox } = await startRun({
    host,
    run,
    settings: { ...own, runsDir: runsDirectory },
    task: { ...task, repository: findRepository(task.repository) },
    ...(switches === undefined ? {} : { switches }),
  });
  return performRun({ ...options, sandbox });
}

/** True if the run began before `since`, or if its description is unreadable. */
async function isEarlier(directory: string, since: string | undefined): Promise<boolean> {
  if (since === undefined) return false;
  const { startedAt } = await readRun(directory).catch(() => ({ startedAt: "" }));
  return startedAt < since;
}

/** Waits until a process whose parent was killed has left its run. */
async function leaveToDying(directory: string): Promise<void> {
  const until = Date.now() + 30_000;
  while (isRunAlive(directory) && Date.now() < until) await delay(100);
}
