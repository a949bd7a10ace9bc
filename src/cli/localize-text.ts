/** Renders the output of `millwright localize` for people. */

import pc from "picocolors";
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal as safe } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import type { LocalizeReport } from "../domain/localize-report.ts";
import { formatTestKey } from "../domain/test-outcome.ts";

/** Maximum number of failing tests to name. */
const shownTests = 5;

export function renderFaults(report: LocalizeReport): string {
  const { statements, functions, missing } = report;
  const reason = safe(report.reason);
  const parts = [statements.length === 0 ? `${pc.yellow("Nothing to rank")}: ${reason}` : reason];
  for (const text of missing) parts.push(pc.yellow(safe(text)));
  parts.push(...renderTests(report));
  if (statements.length > 0) {
    parts.push("", pc.bold("Statements"));
    for (const { rank, file, startLine, function: name, score, text, evidence } of statements) {
      parts.push(head(rank, score, `${file}:${startLine}`, name), `       ${safe(text)}`);
      parts.push(pc.dim(`       ${evidence.reasons.join(", ")}`));
    }
    parts.push("", pc.bold("Functions"));
    for (const { rank, file, startLine, function: name, score, evidence } of functions) {
      parts.push(head(rank, score, `${file}:${startLine}`, name ?? "(top level)"));
      parts.push(pc.dim(`       ${describeFunction(evidence)}`));
    }
  }
  const how = report.testCommand === null ? "" : `\`${report.testCommand.command}\`, `;
  parts.push("", pc.dim(`${safe(how)}${formatDuration(report.seconds * 1000)}, ${report.sandbox} sandbox`));
  return `${parts.join("\n")}\n`;
}

function head(rank: number, score: number, place: string, name: string | undefined): string {
  const around = name === undefined ? "" : ` ${pc.dim("in")} ${safe(name)}`;
  return `${String(rank).padStart(4)}. ${score.toFixed(2)}  ${pc.cyan(safe(place))}${around}`;
}

function describeFunction({
  suspects,
  worstLine,
  reasons,
}: LocalizeReport["functions"][number]["evidence"]): string {
  const count = countOf(suspects, "suspicious statement");
  return [`${count}, the most suspicious at line ${worstLine}`, ...reasons].join(", ");
}

function renderTests({ failingTests, passed, flaky, others, othersBecause }: LocalizeReport): string[] {
  if (failingTests.length === 0) return [];
  const lines = ["", pc.bold(`${failingTests.length} failing, ${passed} passing`)];
  for (const { key, type, message } of failingTests.slice(0, shownTests)) {
    const [first = ""] = message.split("\n");
    lines.push(safe(`  ${formatTestKey(key)}: ${type}${first === "" ? "" : `: ${first.slice(0, 120)}`}`));
  }
  if (failingTests.length > shownTests) lines.push(`  and ${failingTests.length - shownTests} more`);
  if (flaky.length > 0)
    lines.push(
      safe(`  flaky, left out (at most ${shownTests} named): ${flaky.slice(0, shownTests).join(", ")}`),
    );
  if (others.length > 0)
    lines.push(`  other failing tests, not used because they ${othersBecause}: ${others.length}`);
  return lines;
}
