/**
 * Imports another agent's trajectory as a run. Millwright shows and measures this run like its own runs, but cannot
 * resume it.
 */
import { basename, join } from "node:path";
import { openOutputs } from "../agent/record/outputs.ts";
import { redactEvent, redactReport } from "../agent/record/redact-record.ts";
import { createRun, newRunId, type RunDescription } from "../agent/run/run-store.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { hashData } from "../base/hash.ts";
import { openJsonlWriter } from "../base/jsonl.ts";
import { makeFolders } from "../base/make-folders.ts";
import { createRedactor, type Redactor, secretsOf } from "../base/redact.ts";
import { readGivenFile } from "../base/regular-file.ts";
import type { Trajectory, Turn, TurnUsage } from "../bench/trajectories/contract.ts";
import { filesOf } from "../bench/trajectories/patch-files.ts";
import { readTrajectory } from "../bench/trajectories/read-trajectory.ts";
import { noFindings } from "../domain/finding.ts";
import { eventsVersion, type NewRunEvent } from "../domain/run-event.ts";
import type { SolveReport, StatedUsage } from "../domain/solve-report.ts";
import type { Host } from "./host.ts";
import { version } from "./version.ts";

export interface ImportedRun {
  readonly run: string;
  readonly directory: string;
  readonly trajectory: Trajectory;
  readonly usage: StatedUsage;
}

/**
 * Imports a trajectory as a run. Throws MillwrightError if the file is not a trajectory, or if Millwright cannot write
 * to the folder of runs.
 */
export async function importTrajectory(
  path: string,
  { host, runsDirectory }: { readonly host: Host; readonly runsDirectory: string },
): Promise<ImportedRun> {
  const redactor = createRedactor(secretsOf(host.environment));
  const trajectory = readTrajectory(readGivenFile(path).toString("utf8"), path);
  const description = describe(trajectory, path);
  const directory = await createRun(runsDirectory, redactor.data(description));
  const record = await writeCalls(trajectory, directory, redactor);
  const report = redactReport(redactor, makeReport(trajectory, description, directory, record));
  const { run, task } = redactor.data(description);
  const head = { event: "run-started", schema: eventsVersion, run, task } as const;
  const writer = openJsonlWriter(join(directory, "events.jsonl"));
  try {
    const started = record.events[0]?.at ?? record.endedAt;
    writer.append({ ...head, strategy: description.strategy, sandbox: description.sandbox, at: started });
    for (const { at, event } of record.events) writer.append({ ...redactEvent(redactor, event), at });
    writer.append({ event: "run-ended", report, findings: noFindings, at: record.endedAt });
  } finally {
    writer.close();
  }
  await writeFileAtomically(join(directory, "patch.diff"), report.patch);
  await writeFileAtomically(join(directory, "report.json"), `${JSON.stringify(report, null, 2)}\n`);
  return { run: description.run, directory, trajectory, usage: record.usage };
}

function describe({ statement, agent, model }: Trajectory, path: string): RunDescription {
  const now = new Date();
  const name = basename(path).replace(/(?:\.traj)?(?:\.json)?$/, "");
  return {
    schema: "millwright.run/1",
    run: newRunId(name, now),
    version,
    startedAt: now.toISOString(),
    task: { id: name, kind: "repair", statement, repository: "" },
    strategy: agent,
    model,
    sandbox: "unknown",
    network: false,
    parallel: 1,
    limits: { memoryBytes: 0, cpus: 0, processes: 0 },
    apply: false,
  };
}

interface WrittenCalls {
  readonly events: readonly { readonly at: number; readonly event: NewRunEvent }[];
  readonly endedAt: number;
  readonly usage: StatedUsage;
}

/** Writes the calls. Derives missing times from the preceding ones. */
async function writeCalls(
  { turns, model, total }: Trajectory,
  directory: string,
  redactor: Redactor,
): Promise<WrittenCalls> {
  const outputs = openOutputs(join(directory, "outputs"), redactor);
  const calls = join(directory, "calls");
  await makeFolders(calls);
  const events: { at: number; event: NewRunEvent }[] = [];
  const used = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0, unpriced: 0 };
  let order = 0;
  let at = turns.find((turn) => turn.at !== undefined)?.at ?? Date.now();
  for (const [place, turn] of turns.entries()) {
    const known = turn.usage ?? (place === turns.length - 1 ? total : undefined);
    const usage = usageOf(known, total?.usd !== undefined);
    for (const name of ["calls", "inputTokens", "cachedTokens", "outputTokens", "usd", "unpriced"] as const)
      used[name] += usage[name];
    const asked = Math.max(at, turn.at ?? at);
    const handle = hashData(["imported", place, turn.text, turn.calls]).slice(0, 24);
    order += 1;
    const call = { order, role: "editing", model: turn.model ?? model, handle };
    const finish = turn.calls.length > 0 ? "calls" : "stop";
    const tools = turn.calls.map(({ id, tool }) => ({ id, tool }));
    const ended = {
      event: "call-ended",
      ...call,
      recorded: true,
      ms: asked - at,
      finish,
      tools,
      usage,
    } as const;
    events.push({ at: asked, event: ended });
    at = asked;
    await writeFileAtomically(join(calls, `${handle}.answer.json`), answerOf(turn, call.model, redactor));
    for (const { id, tool, input, output = "", ms = 0 } of turn.calls) {
      order += 1;
      const said = { order, call: call.order, id, tool, about: aboutOf(input) };
      events.push({ at, event: { event: "tool-started", ...said } });
      at += ms;
      const kept = { failed: false, ms, output: outputs.keep(output), characters: output.length };
      events.push({ at, event: { event: "tool-ended", ...said, ...kept } });
    }
  }
  const { unpriced, ...stated } = used;
  return { events, endedAt: at, usage: unpriced === 0 ? stated : { ...stated, unpriced } };
}

/** Returns a call's usage. `inSum`: true if the total cost, which the last call gets, contains the call's cost. */
function usageOf(usage: TurnUsage | undefined, inSum: boolean) {
  const { inputTokens = 0, cachedTokens = 0, outputTokens = 0, usd } = usage ?? {};
  const isUnpriced = usd === undefined && !inSum;
  return { calls: 1, inputTokens, cachedTokens, outputTokens, usd: usd ?? 0, unpriced: isUnpriced ? 1 : 0 };
}

function answerOf({ text, reasoning = "", calls, usage }: Turn, model: string, redactor: Redactor): string {
  const parts = [
    ...(reasoning === "" ? [] : [{ type: "reasoning", text: reasoning }]),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, tool, input }) => ({ type: "call", id, name: tool, inputText: textOf(input) })),
  ];
  const value = { parts, finish: calls.length > 0 ? "calls" : "stop", usage: usage ?? {}, warnings: [] };
  const answer = { schema: "millwright.model-answer/1", model, result: { ok: true, value } };
  return `${JSON.stringify(redactor.data(answer), null, 1)}\n`;
}

function textOf(input: unknown): string {
  return typeof input === "string" ? input : (JSON.stringify(input) ?? "");
}

const longestAbout = 160;

function aboutOf(input: unknown): string {
  const values = input !== null && typeof input === "object" ? Object.values(input) : [input];
  const line = values.map(textOf).join(", ").replaceAll(/\s+/g, " ").trim();
  return line.length > longestAbout ? `${line.slice(0, longestAbout)}…` : line;
}

function makeReport(
  { patch, agent, model, end }: Trajectory,
  { run, task, strategy, sandbox }: RunDescription,
  runDirectory: string,
  { usage, events, endedAt }: WrittenCalls,
): SolveReport {
  const hasPatch = patch.trim() !== "";
  return {
    schema: "millwright.solve/1",
    outcome: hasPatch ? "unverified" : "none",
    reason: `Imported: ${agent} ended with ${end}; Millwright has not judged the result.`,
    exitCode: hasPatch ? 10 : 11,
    ...{ run, runDirectory, strategy, model, sandbox, patch },
    task: { id: task.id, kind: task.kind },
    testCommand: null,
    files: filesOf(patch),
    gate: [],
    strength: hasPatch ? "weak" : null,
    candidates: hasPatch ? 1 : 0,
    seconds: Math.round((endedAt - (events[0]?.at ?? endedAt)) / 100) / 10,
    usage,
  };
}
