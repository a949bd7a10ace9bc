import { join, resolve } from "node:path";
import { type Command, Option } from "commander";
import { readEvents } from "../../agent/record/recorder.ts";
import { toldBy } from "../../agent/record/told-by.ts";
import { renderReport } from "../../agent/run/report-markdown.ts";
import { findRun, isRunAlive } from "../../agent/run/run-store.ts";
import { MillwrightError } from "../../base/errors.ts";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { findingsSchema, noFindings } from "../../domain/finding.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { renderCalls, renderEvents } from "../event-lines.ts";
import { runsDirectoryFromFlags } from "../runs-directory.ts";

type ShowFormat = "report" | "patch" | "calls" | "events" | "json";
const formats: readonly ShowFormat[] = ["report", "patch", "calls", "events", "json"];

export function addShowCommand(program: Command): void {
  program
    .command("show")
    .description("show a run: its report, its patch, its calls of models and tools, or its events")
    .argument("<run>", "the run's id, a unique part of the id, the run's folder, or `last`")
    .option("--runs-dir <dir>", "the folder of all runs")
    .addOption(new Option("--as <format>", "what to show").choices(formats).default("report"))
    .option("--json", "the same as --as json")
    .action(async (run: string, flags: { runsDir?: string; as: ShowFormat; json?: boolean }) => {
      const directory = await findRun(runsDirectoryFromFlags(flags), run);
      const events = await readEvents(join(directory, "events.jsonl"));
      process.stdout.write(render(directory, events, flags.json ? "json" : flags.as));
    });
}

/** Renders a run. Derives everything from the events: the report files are copies for people. */
function render(directory: string, events: readonly RunEvent[], format: ShowFormat): string {
  if (format === "events") return renderEvents(events);
  if (format === "calls") return renderCalls(events, isRunAlive(directory));
  const end = events.find((event) => event.event === "run-ended");
  if (end === undefined) {
    const state = isRunAlive(directory) ? "is still running" : "was interrupted";
    throw new MillwrightError("usage", `The run ${state}, so it has no report yet`, {
      hint: "Continue an interrupted run with `millwright resume`; `--as events` shows its events so far.",
    });
  }
  if (format === "json") {
    // The run's current location, which may have changed.
    const report = { ...end.report, runDirectory: resolve(directory) };
    return `${JSON.stringify(report, null, 2)}\n`;
  }
  if (format === "patch") return end.report.patch;
  const findings = findingsSchema.safeParse(end.findings);
  return sanitizeForTerminal(
    renderReport(end.report, findings.success ? findings.data : noFindings, toldBy(events)),
  );
}
