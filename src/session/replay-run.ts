/** Repeats a run as a new one, with its models' recorded answers, and compares the results. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { callsOf } from "../agent/record/costs.ts";
import { readEvents } from "../agent/record/recorder.ts";
import { notesSchema } from "../agent/run/memory.ts";
import { createRun, newRunId, type RunDescription, readRun } from "../agent/run/run-store.ts";
import { MillwrightError } from "../base/errors.ts";
import type { Replay } from "../domain/replay.ts";
import type { RunEvent } from "../domain/run-event.ts";
import type { SolveReport } from "../domain/solve-report.ts";
import { performRun } from "./perform-run.ts";
import type { ResumeOptions } from "./resume-run.ts";
import { chooseSurroundings } from "./surroundings.ts";
import { version } from "./version.ts";

/** Replays a run. `directory`: the folder of the original run. Throws like `performRun`. */
export async function replayRun({ surroundings = {}, ...options }: ResumeOptions): Promise<Replay> {
  const { directory } = options;
  const chosen = await chooseSurroundings(await readRun(directory), surroundings);
  const { sandbox, description: original } = chosen;
  const before = await readEvents(join(directory, "events.jsonl"));
  const description = { ...describeReplay(original, directory), ...recalledBy(before) };
  const again = await createRun(dirname(directory), description);
  const report = await performRun({ ...options, directory: again, sandbox });
  const after = await readEvents(join(again, "events.jsonl"));
  return { ...compare(original.run, before, after, report), report };
}

/** Describes the replay, which applies nothing and uses no model but the recording. */
function describeReplay(original: RunDescription, directory: string): RunDescription {
  const calls = join(resolve(directory), "calls");
  const { recordTo: _, notesFile: _n, modelSettings = {}, ...rest } = original;
  if (original.model !== null && !existsSync(calls))
    throw new MillwrightError("usage", `The run ${original.run} has no recorded calls`, {
      hint: "Restore the folder `calls` of this run. To replay a run that used a model, Millwright needs the recorded calls.",
    });
  const { modelRoles: _r, embeddingModel, ...others } = modelSettings;
  const model = original.model === null ? null : `replay:${calls}`;
  const now = new Date();
  return {
    ...rest,
    run: newRunId(basename(original.task.repository), now),
    version,
    startedAt: now.toISOString(),
    model,
    modelSettings: {
      ...others,
      ...(embeddingModel === undefined || model === null ? {} : { embeddingModel: model }),
    },
    apply: false,
    replays: original.run,
    original: resolve(directory),
  };
}

/** Returns the notes that the run had at its beginning. */
function recalledBy(events: readonly RunEvent[]): Pick<RunDescription, "recalled"> {
  const step = events.find((event) => event.event === "step-finished" && event.step === "notes");
  return step?.event === "step-finished" ? { recalled: notesSchema.parse(step.result) } : {};
}

function compare(
  of: string,
  before: readonly RunEvent[],
  after: readonly RunEvent[],
  { run, patch }: SolveReport,
): Omit<Replay, "report"> {
  const end = before.find((event) => event.event === "run-ended");
  const baseOf = (events: readonly RunEvent[]): string | undefined =>
    events.find((event) => event.event === "workspace-opened")?.base;
  return {
    of,
    run,
    same: end === undefined ? null : end.report.patch === patch,
    repositoryChanged: baseOf(before) !== baseOf(after),
    changed: missedBy(after),
  };
}

function missedBy(events: readonly RunEvent[]): string[] {
  return callsOf(events).flatMap(({ failure }) => (failure?.kind === "not-recorded" ? failure.message : []));
}
