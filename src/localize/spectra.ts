import { type CoveredLines, formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { Spectrum } from "./formulas.ts";
import type { ProgramMap } from "./program-map.ts";

/** By statement: which tests execute it. Tests without coverage, and those that neither passed nor failed, do not count. */
export function countSpectra(
  program: ProgramMap,
  outcomes: readonly TestOutcome[],
  coverage: ReadonlyMap<string, CoveredLines>,
): Spectrum[] {
  const covering = program.statements.map(() => ({ failing: 0, passing: 0 }));
  const totals = { failing: 0, passing: 0 };
  for (const outcome of outcomes) {
    const lines = coverage.get(formatTestKey(outcome.key));
    const side = isFailing(outcome.status) ? "failing" : "passing";
    if (lines === undefined || (side === "passing" && outcome.status !== "passed")) continue;
    totals[side]++;
    for (const index of coveredStatements(program, lines)) {
      const counts = covering[index];
      if (counts !== undefined) counts[side]++;
    }
  }
  return covering.map(({ failing, passing }) => ({
    failingCovering: failing,
    failingOther: totals.failing - failing,
    passingCovering: passing,
    passingOther: totals.passing - passing,
  }));
}

export function coveredStatements(program: ProgramMap, lines: CoveredLines): Set<number> {
  const covered = new Set<number>();
  for (const [file, executed] of Object.entries(lines)) {
    for (const line of executed) for (const index of program.at(file, line)) covered.add(index);
  }
  return covered;
}
