/** Writes the standard output of `solve`, `resume` and `show`. */
import pc from "picocolors";
import { describePrice } from "../agent/record/costs.ts";
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import type { RunEvent } from "../domain/run-event.ts";
import type { SolveReport } from "../domain/solve-report.ts";

export type OutputFormat = "text" | "patch" | "json" | "stream-json";
export const outputFormats: readonly OutputFormat[] = ["text", "patch", "json", "stream-json"];

/** The flag of commands that show a run's progress. */
export const quietFlag = ["-q, --quiet", "print no progress"] as const;

/**
 * If `format` is `stream-json`, prints the event as one line of JSON, else nothing. In this format, the report is the
 * last line.
 */
export function printEvent(format: OutputFormat, event: RunEvent): void {
  if (format === "stream-json") process.stdout.write(`${JSON.stringify(event)}\n`);
}

export function printReport(format: OutputFormat, report: SolveReport): void {
  if (format === "json") process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  else if (format === "stream-json") process.stdout.write(`${JSON.stringify(report)}\n`);
  else if (format === "patch") process.stdout.write(report.patch);
  else process.stdout.write(renderText(report));
}

const colours = { verified: pc.green, unverified: pc.yellow, none: pc.red };
const words = { verified: "Verified patch", unverified: "Patch, unverified", none: "No patch" };

function renderText(report: SolveReport): string {
  const lines = [
    `${colours[report.outcome](pc.bold(words[report.outcome]))}: ${sanitizeForTerminal(report.reason)}`,
    "",
  ];
  for (const { predicate, holds, evidence } of report.gate) {
    lines.push(`${holds ? pc.green("✓") : pc.red("✗")} ${predicate}: ${sanitizeForTerminal(evidence)}`);
  }
  if (report.patch !== "") lines.push("", colourPatch(report.patch.trimEnd()));
  const cost = report.model === null ? "no model, no cost" : describePrice(report.usage);
  const tried = countOf(report.candidates, "candidate");
  lines.push(
    "",
    pc.dim(`${tried}, ${formatDuration(report.seconds * 1000)}, ${cost}, ${report.sandbox} sandbox`),
  );
  lines.push(pc.dim(`${report.runDirectory}/report.md`), "");
  return lines.join("\n");
}

export function colourPatch(patch: string): string {
  return sanitizeForTerminal(patch)
    .split("\n")
    .map((line) => {
      if (line.startsWith("+") && !line.startsWith("+++")) return pc.green(line);
      if (line.startsWith("-") && !line.startsWith("---")) return pc.red(line);
      return line.startsWith("@@") ? pc.cyan(line) : line;
    })
    .join("\n");
}
