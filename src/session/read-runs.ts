/** Reads runs from their folders: one run's data, and the list of all. */
import { join } from "node:path";
import { readEvents } from "../agent/record/recorder.ts";
import { isRunAlive, listRunIds, type RunDescription, readRun } from "../agent/run/run-store.ts";
import { type Findings, findingsSchema, noFindings } from "../domain/finding.ts";
import type { RunEvent } from "../domain/run-event.ts";
import type { Outcome, SolveReport } from "../domain/solve-report.ts";

/** The state of a run: an outcome, `limit` (a limit stopped the run), `running`, or `resumable`. */
export type RunState = Outcome | "limit" | "running" | "resumable";

export interface RunRecord {
  readonly directory: string;
  readonly description: RunDescription;
  readonly state: RunState;
  readonly events: readonly RunEvent[];
  /** The run's report; absent if the run has not ended. */
  readonly report?: SolveReport;
  readonly findings?: Findings;
}

/** Reads a run's description, events, state and findings. Throws MillwrightError("disk") for a damaged folder. */
export async function readRunRecord(directory: string): Promise<RunRecord> {
  const description = await readRun(directory);
  const events = await readEvents(join(directory, "events.jsonl"));
  const end = events.find((event) => event.event === "run-ended");
  if (end === undefined) {
    const state = isRunAlive(directory) ? "running" : "resumable";
    return { directory, description, state, events };
  }
  const { report } = end;
  const findings = findingsSchema.safeParse(end.findings);
  return {
    ...{ directory, description, events, report },
    state: report.exitCode === 12 ? "limit" : report.outcome,
    findings: findings.success ? findings.data : noFindings,
  };
}

export interface RunSummary {
  readonly run: string;
  /** `damaged`: Millwright cannot read the run's folder, and all fields but `run` are empty. */
  readonly state: RunState | "damaged";
  readonly kind: string;
  readonly strategy: string;
  readonly repository: string;
  readonly startedAt: string;
}

/** Lists the runs of a folder, newest first. */
export async function listRunsIn(runsDirectory: string): Promise<RunSummary[]> {
  const ids = (await listRunIds(runsDirectory)).reverse();
  return Promise.all(ids.map((id) => summarize(join(runsDirectory, id), id)));
}

async function summarize(directory: string, run: string): Promise<RunSummary> {
  try {
    const { description, state } = await readRunRecord(directory);
    const { task, strategy, startedAt } = description;
    return { run, state, kind: task.kind, strategy, repository: task.repository, startedAt };
  } catch {
    return { run, state: "damaged", kind: "", strategy: "", repository: "", startedAt: "" };
  }
}
