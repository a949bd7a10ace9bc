/** Makes the document of `millwright localize` from measurements and ranking. */
import type { LocalizeReport } from "../../domain/localize-report.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { describeEvidence, describeStatement } from "../../localize/describe-evidence.ts";
import type { Ranking } from "../../localize/rank-statements.ts";
import type { MeasuredFault } from "./localize-fault.ts";

export interface LocalizeReportInput {
  readonly repository: string;
  readonly sandbox: string;
  readonly formula: string;
  /** Number of statements and functions to list. */
  readonly top: number;
  readonly seconds: number;
}

/** The exit code of `millwright localize` if no test fails or Millwright can rank no statement. */
export const nothingRanked = 11;

export function makeLocalizeReport(
  input: LocalizeReportInput,
  measured: MeasuredFault,
  ranking: Ranking,
): LocalizeReport {
  const { baseline, coverage, signs } = measured;
  const { command, foundBy } = baseline.command;
  return {
    ...describeInput(input),
    exitCode: ranking.statements.length === 0 ? nothingRanked : 0,
    reason: ranking.explanation,
    basis: ranking.basis,
    missing: [...baseline.trouble, ...coverage.remarks, ...ranking.missing],
    testCommand: { command, foundBy },
    failingTests: baseline.targets.map(describeFailure),
    passed: baseline.outcomes.filter(({ status }) => status === "passed").length,
    flaky: [...baseline.flaky],
    others: [...baseline.others],
    othersBecause: baseline.othersBecause,
    statements: listStatements(ranking, signs.texts, input.top),
    functions: listFunctions(ranking, input.top),
  };
}

/** Makes the report on a repository in which no test can run, or no test fails. */
export function makeEmptyReport(input: LocalizeReportInput, reason: string): LocalizeReport {
  return {
    ...describeInput(input),
    exitCode: nothingRanked,
    reason,
    basis: "nothing",
    missing: [],
    testCommand: null,
    failingTests: [],
    passed: 0,
    flaky: [],
    others: [],
    othersBecause: "",
    statements: [],
    functions: [],
  };
}

function describeInput({ repository, sandbox, formula, seconds }: LocalizeReportInput) {
  const schema = "millwright.localize/1" as const;
  return { schema, repository, sandbox, formula, seconds: Math.round(seconds * 10) / 10 };
}

function listStatements(
  { statements }: Ranking,
  texts: ReadonlyMap<string, string>,
  top: number,
): LocalizeReport["statements"] {
  const lines = new Map<string, readonly string[]>();
  const seen = new Set<string>();
  // One statement per line, because readers look at lines.
  const distinct = statements.filter(
    ({ file, startLine }) => !seen.has(`${file}:${startLine}`) && seen.add(`${file}:${startLine}`),
  );
  return distinct.slice(0, top).map(({ evidence, ...place }, index) => {
    const all = lines.get(place.file) ?? texts.get(place.file)?.split("\n") ?? [];
    lines.set(place.file, all);
    return {
      rank: index + 1,
      ...place,
      text: (all[place.startLine - 1] ?? "").trim(),
      evidence: { ...evidence, reasons: describeStatement(evidence) },
    };
  });
}

function listFunctions({ functions }: Ranking, top: number): LocalizeReport["functions"] {
  return functions.slice(0, top).map(({ evidence, ...place }, index) => ({
    rank: index + 1,
    ...place,
    evidence: { ...evidence, reasons: describeEvidence(evidence) },
  }));
}

/** Converts a failing test to its form in reports. */
export function describeFailure({
  key,
  status,
  failure,
}: TestOutcome): LocalizeReport["failingTests"][number] {
  const frame = failure?.frames.at(-1);
  return {
    key,
    type: failure?.type ?? status,
    message: failure?.message ?? "",
    frame: frame === undefined ? "" : `${frame.file}:${frame.line}`,
  };
}
