/** Counts kept and dropped candidates of a step, by cause and language. */
import { countOf } from "../base/count.ts";
import type { StepName } from "./contract.ts";
import type { LedgerLine } from "./ledger.ts";

/** `seed`: inserted faults. */
export type ReportedStep = StepName | "seed";

export interface Tally {
  readonly candidates: number;
  readonly kept: number;
  readonly dropped: number;
  readonly errors: number;
  /** Dropped candidates and errors, by cause. */
  readonly causes: Readonly<Record<string, number>>;
}

export interface StepReport extends Tally {
  readonly schema: "millwright.mine-step/1";
  readonly step: ReportedStep;
  readonly languages: Readonly<Record<string, Tally>>;
}

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

/** `filter: 12 of 90 kept; dropped: 70 no-tests, 8 no-code`. */
export function tellStep({ step, candidates, kept, causes, errors }: StepReport): string {
  const why = Object.entries(causes).map(([cause, count]) => `${count} ${cause}`);
  const left = why.length === 0 ? "" : `; dropped: ${why.join(", ")}`;
  const failed = errors === 0 ? "" : `; ${countOf(errors, "of them is", "of them are")} to be tried again`;
  return `${step}: ${kept} of ${candidates} kept${left}${failed}`;
}
