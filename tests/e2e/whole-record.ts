/** What every run has to leave behind: events from which all that is said of calls is derived. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { callsOf, usageOf } from "../../src/agent/record/costs.ts";
import { toldBy } from "../../src/agent/record/told-by.ts";
import { workRows } from "../../src/agent/record/work-rows.ts";
import { renderReport } from "../../src/agent/run/report-markdown.ts";
import { findingsSchema } from "../../src/domain/finding.ts";
import { eventsVersion, type RunEvent, runEventSchema } from "../../src/domain/run-event.ts";

export function readRecord(runDirectory: string): RunEvent[] {
  const lines = readFileSync(join(runDirectory, "events.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => runEventSchema.parse(JSON.parse(line)));
}

/** The events of a run that came to its end, held against its folder. */
export function checkRecord(runDirectory: string): RunEvent[] {
  const events = readRecord(runDirectory);
  const end = events.find((event) => event.event === "run-ended");
  if (end === undefined) throw new Error("the run came to no end");
  expect(events.find((event) => event.event === "run-started")?.schema).toBe(eventsVersion);
  checkUsage(events, runDirectory);
  expect(end.report.usage).toEqual(usageOf(events));
  const told = toldBy(events);
  const shown = renderReport(end.report, findingsSchema.parse(end.findings), told);
  expect(readFileSync(join(runDirectory, "report.md"), "utf8")).toBe(shown);
  checkTools(events, runDirectory);
  expect(openToOthers(runDirectory)).toEqual([]);
  return events;
}

/** What others than its owner may read or enter. */
export function openToOthers(directory: string): string[] {
  const paths = readdirSync(directory, { recursive: true, encoding: "utf8" });
  return paths.filter((path) => (statSync(join(directory, path)).mode & 0o077) !== 0);
}

/** The calls are those of the recording, each of which was written and paid for once. */
function checkUsage(events: readonly RunEvent[], runDirectory: string): void {
  const recorded = readAnswers(runDirectory);
  const calls = callsOf(events);
  const answered = new Set(calls.filter(({ finish }) => finish !== undefined).map(({ handle }) => handle));
  expect([...answered].sort()).toEqual([...recorded.keys()].sort());
  const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);
  const input = sum([...recorded.values()].map(({ input }) => input));
  expect(sum(calls.map(({ usage }) => usage.inputTokens))).toBe(input);
  const rows = workRows(events).filter(({ action }) => !/^arm \d/.test(action));
  const { inputTokens, outputTokens } = usageOf(events);
  expect(sum(rows.map(({ tokens }) => tokens))).toBeCloseTo(inputTokens + outputTokens, 3);
  expect(new Set(calls.map(({ order }) => order)).size).toBe(calls.length);
}

function readAnswers(runDirectory: string): Map<string, { readonly input: number }> {
  const folder = join(runDirectory, "calls");
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(".answer.json")) : [];
  return new Map(
    names.flatMap((name) => {
      const { result } = JSON.parse(readFileSync(join(folder, name), "utf8"));
      return result.ok ? [[name.replace(".answer.json", ""), result.value.usage]] : [];
    }),
  );
}

/** Each belongs to a call of its answer, and its reply is kept. */
function checkTools(events: readonly RunEvent[], runDirectory: string): void {
  const calls = new Map(callsOf(events).map((call) => [call.order, call]));
  for (const event of events) {
    if (event.event !== "tool-ended") continue;
    expect(calls.get(event.call)?.tools).toContainEqual({ id: event.id, tool: event.tool });
    expect(existsSync(join(runDirectory, "outputs", `${event.output}.txt`))).toBe(true);
  }
}
