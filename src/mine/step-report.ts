/** Counts kept and dropped candidates of a step, by cause and language. */

import { z } from "zod";
import { stepNames } from "./contract.ts";
import type { LedgerLine } from "./ledger.ts";

const tallySchema = z.object({
  candidates: z.int(),
  kept: z.int(),
  dropped: z.int(),
  errors: z.int(),
  /** Dropped candidates and errors, by cause. */
  causes: z.record(z.string(), z.int()),
});
export type Tally = z.infer<typeof tallySchema>;

export const stepReportSchema = tallySchema.extend({
  schema: z.literal("millwright.mine-step/1"),
  /** The step. `select`: repositories of hosts; `seed`: inserted faults; `derive`: tasks of other kinds. */
  step: z.enum(["select", ...stepNames, "seed", "derive"]),
  languages: z.record(z.string(), tallySchema),
});
export type StepReport = z.infer<typeof stepReportSchema>;
export type ReportedStep = StepReport["step"];

type Line = Pick<LedgerLine, "verdict" | "cause" | "language">;

export function reportStep(step: ReportedStep, lines: readonly Line[]): StepReport {
  const groups = [...Map.groupBy(lines, ({ language }) => language || "none")].sort(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return {
    schema: "millwright.mine-step/1",
    step,
    ...tally(lines),
    languages: Object.fromEntries(groups.map(([language, own]) => [language, tally(own)])),
  };
}

function tally(lines: readonly Line[]): Tally {
  const count = (verdict: Line["verdict"]): number => lines.filter((line) => line.verdict === verdict).length;
  const causes = Map.groupBy(
    lines.filter(({ cause }) => cause !== undefined),
    ({ cause = "" }) => cause,
  );
  const counted = [...causes].map(([cause, own]) => [cause, own.length] as const);
  return {
    candidates: lines.length,
    kept: count("kept"),
    dropped: count("dropped"),
    errors: count("error"),
    causes: Object.fromEntries(counted.sort(([, a], [, b]) => b - a)),
  };
}

/** Merges two lists of reports. Sums the numbers of reports on the same step. */
export function addReports(earlier: readonly StepReport[], later: readonly StepReport[]): StepReport[] {
  const sums = new Map<ReportedStep, StepReport>();
  for (const report of [...earlier, ...later]) {
    const sum = sums.get(report.step);
    sums.set(report.step, sum === undefined ? report : addReport(sum, report));
  }
  return [...sums.values()];
}

function addReport(sum: StepReport, report: StepReport): StepReport {
  const names = [...new Set([...Object.keys(sum.languages), ...Object.keys(report.languages)])].sort();
  const added = names.map((name) => [name, addTallies(sum.languages[name], report.languages[name])]);
  return { ...sum, ...addTallies(sum, report), languages: Object.fromEntries(added) };
}

const nothing: Tally = { candidates: 0, kept: 0, dropped: 0, errors: 0, causes: {} };

function addTallies(a: Tally = nothing, b: Tally = nothing): Tally {
  const causes = new Map(Object.entries(a.causes));
  for (const [cause, count] of Object.entries(b.causes)) causes.set(cause, (causes.get(cause) ?? 0) + count);
  return {
    candidates: a.candidates + b.candidates,
    kept: a.kept + b.kept,
    dropped: a.dropped + b.dropped,
    errors: a.errors + b.errors,
    causes: Object.fromEntries([...causes].sort(([, m], [, n]) => n - m)),
  };
}

/** Renders a step's report: `filter: 12 of 90 kept; dropped: 70 no-tests, 8 no-code`. */
export function tellStep({ step, candidates, kept, causes, errors }: StepReport): string {
  const why = Object.entries(causes).map(([cause, count]) => `${count} ${cause}`);
  const left = why.length === 0 ? "" : `; dropped: ${why.join(", ")}`;
  const failed = errors === 0 ? "" : `; ${errors} to run again, after an infrastructure error`;
  return `${step}: ${kept} of ${candidates} kept${left}${failed}`;
}
