import { countOf } from "../../base/count.ts";
import { fence } from "../../base/fence.ts";
import type { Findings } from "../../domain/finding.ts";
import type { SolveReport } from "../../domain/solve-report.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import { tellChoice } from "../kinds/tell-choice.ts";
import { describePrice } from "../record/costs.ts";
import type { Told } from "../record/told-by.ts";
import type { WorkRow } from "../record/work-rows.ts";

/** Maximum number of suspects, failing tests and alternatives in the report. The record contains all of them. */
const shown = 5;

/** Renders `report.md`. Its sections answer a reviewer's questions before a merge, in the usual order. */
export function renderReport(report: SolveReport, findings: Findings, { title, work }: Told): string {
  const sections = [
    renderSummary(report, findings, title),
    renderPatch(report),
    renderTests(report),
    renderFailingTests(findings),
    renderPrograms(report),
    renderFault(findings),
    renderGate(report),
    renderRuns(report, findings),
    renderAlternatives(findings),
    renderWork(work),
    renderRemarks(findings),
    renderCost(report),
  ];
  return `${sections.filter((section) => section !== "").join("\n\n")}\n`;
}

const headings = { verified: "Verified patch", unverified: "Unverified patch", none: "No patch" };

function renderSummary(report: SolveReport, findings: Findings, title: string): string {
  const files = report.files.map((file) => `\`${file.path}\` (+${file.added} −${file.removed})`).join(", ");
  const lines = [`# ${headings[report.outcome]}: ${title}`, "", report.reason];
  if (findings.change !== "")
    lines.push(
      "",
      `**The change:** ${findings.change.replace(/\.$/, "")}${files === "" ? "" : `, in ${files}`}.`,
    );
  return lines.join("\n");
}

function renderPatch(report: SolveReport): string {
  return report.patch === "" ? "" : `## Patch\n\n${fence("diff", report.patch.trimEnd())}`;
}

function renderTests({ testsPatch }: SolveReport): string {
  if (testsPatch === undefined) return "";
  const intro =
    "This run wrote these tests to show the fault or to guard behaviour. The patch does not contain them. Apply `tests.diff` from the run's folder with `git apply` to add them.";
  return ["## Written tests", "", intro, "", fence("diff", testsPatch.trimEnd())].join("\n");
}

function renderFailingTests(findings: Findings): string {
  if (findings.failingTests.length === 0) return "";
  const rows = findings.failingTests.slice(0, shown).map((test) => {
    const where = test.frame === "" ? "" : ` (raised at \`${test.frame}\`)`;
    return `- ${code(formatTestKey(test.key))}: ${test.type}: ${oneLine(test.message)}${where}`;
  });
  return ["## Failures without the patch", "", ...rows, ...more(findings.failingTests.length)].join("\n");
}

function renderPrograms({ programs = [] }: SolveReport): string {
  if (programs.length === 0) return "";
  const each = programs
    .slice(0, shown)
    .flatMap(({ command, text, before, after, aside }) => [
      "",
      `- ${code(command)} ${oneLine(before.told)} without the patch${after === undefined ? "" : `, and ${oneLine(after.told)} with it`}.${aside === undefined ? "" : ` It does not count: ${oneLine(aside)}`}`,
      "",
      fence("", text.trimEnd()),
      ...lastLines("Output without the patch", before.output),
      ...lastLines("Output with the patch", after?.output ?? ""),
    ]);
  const intro =
    "The run wrote these programs to reproduce the fault. They are evidence for the work. No program verifies a patch.";
  return ["## Standalone programs", "", intro, ...each, ...more(programs.length)].join("\n");
}

/** Lines of a program's output in the report; `report.json` contains more of the output. */
const mostLines = 20;

function lastLines(title: string, output: string): string[] {
  if (output.trim() === "") return [];
  return ["", `${title}:`, "", fence("", output.trimEnd().split("\n").slice(-mostLines).join("\n"))];
}

function renderFault(findings: Findings): string {
  if (findings.faults.length === 0) return "";
  const rows = findings.faults.slice(0, shown).map(({ location, score, evidence }) => {
    const lines = location.startLine === location.endLine ? "" : `–${location.endLine}`;
    const symbol = location.symbol === undefined ? "" : ` in \`${location.symbol}\``;
    return `| ${score.toFixed(2)} | \`${location.file}:${location.startLine}\`${lines}${symbol} | ${cell(evidence)} |`;
  });
  return [
    "## Suspected places of the fault",
    "",
    "| suspiciousness | statement | evidence |",
    "| --- | --- | --- |",
    ...rows,
    ...more(findings.faults.length),
  ].join("\n");
}

function renderGate(report: SolveReport): string {
  if (report.gate.length === 0) return "";
  const rows = report.gate.map(
    ({ predicate, holds, evidence }) => `- ${holds ? "✓" : "✗"} **${predicate}**: ${evidence}`,
  );
  const { strength } = report;
  const title = strength === undefined || strength === null ? "## Evidence" : `## Evidence: ${strength}`;
  return [title, "", ...rows].join("\n");
}

function renderRuns(report: SolveReport, findings: Findings): string {
  const lines = ["## Test runs", ""];
  if (report.testCommand !== null) {
    const { command, foundBy } = report.testCommand;
    lines.push(`Tests: ${code(command)} (found by: ${foundBy}), in the ${report.sandbox} sandbox.`);
  }
  if (findings.testRuns.length > 0) {
    lines.push("", "| run | passed | failed | skipped | seconds |", "| --- | --- | --- | --- | --- |");
    for (const run of findings.testRuns) {
      lines.push(
        `| ${run.purpose} | ${run.passed} | ${run.failed} | ${run.skipped} | ${run.seconds.toFixed(1)} |`,
      );
    }
  }
  const attempts = Object.entries(findings.attempts);
  if (attempts.length > 0) {
    lines.push(
      "",
      `Candidates validated: ${report.candidates} (${attempts.map(([end, n]) => `${end}: ${n}`).join(", ")}).`,
    );
  }
  return lines.length > 2 ? lines.join("\n") : "";
}

function renderAlternatives(findings: Findings): string {
  if (findings.alternatives.length === 0) return "";
  const rows = findings.alternatives
    .slice(0, shown)
    .map(({ change, patch }) => `${change}\n\n${fence("diff", patch.trimEnd())}`);
  const intro = "These patches pass the same tests. A reviewer who knows the intent may prefer one of them.";
  return ["## Alternatives", "", intro, "", rows.join("\n\n"), ...more(findings.alternatives.length)].join(
    "\n",
  );
}

function renderWork(work: readonly WorkRow[]): string {
  if (work.length === 0) return "";
  const rows = work.map(
    ({ action, intent, failed, calls, tokens, usd, why }) =>
      `| ${action}${failed ? " ✗" : ""} | ${cell(intent)}${why === undefined ? "" : ` → ${cell(why)}`} | ${decimal(calls)} | ${Math.round(tokens)} | ${usd?.toFixed(4) ?? "?"} |`,
  );
  const head = ["| action | intent | calls | tokens | $ |", "| --- | --- | --- | --- | --- |"];
  return ["## Actions", "", ...head, ...rows].join("\n");
}

/** Formats a number of calls, which may be fractional because tools share calls. */
function decimal(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(1);
}

function renderRemarks(findings: Findings): string {
  if (findings.remarks.length === 0) return "";
  return ["## Remarks", "", ...findings.remarks.map((remark) => `- ${remark}`)].join("\n");
}

function renderCost(report: SolveReport): string {
  const { usage, off = [] } = report;
  const model =
    report.model === null
      ? "no model, no cost"
      : `${report.model}: ${countOf(usage.calls, "call")}, ${countOf(usage.inputTokens, "token")} in (${usage.cachedTokens} cached), ${usage.outputTokens} out, ${describePrice(usage)}`;
  return `## Cost\n\n${report.seconds} s with strategy \`${report.strategy}\`${off.length === 0 ? "" : ` (${off.join(", ")})`}; ${model}. Task \`${report.task.id}\`${describeKind(report)}, run \`${report.run}\`.`;
}

/** Describes the task's kind, unless the user gave it. */
function describeKind({ task: { kind, chosen } }: SolveReport): string {
  return chosen === undefined ? "" : ` of the kind \`${kind}\` (${tellChoice(chosen)})`;
}

function more(total: number): string[] {
  return total > shown ? ["", `… and ${total - shown} more.`] : [];
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

function cell(text: string): string {
  return oneLine(text).replaceAll("|", "\\|");
}

function code(text: string): string {
  return text.includes("`") ? `\`\` ${text} \`\`` : `\`${text}\``;
}
