import { type CoveredLines, formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";
import type { Spectrum } from "./formulas.ts";
import type { ProgramMap } from "./program-map.ts";

export interface Spectra {
  /** For each statement, the tests that execute it. */
  readonly statements: readonly Spectrum[];
  /**
   * By branch: the tests that execute the decision but never the guarded code. This shows a wrong decision, although
   * all tests execute the condition itself.
   */
  readonly skipped: readonly Spectrum[];
}

/**
 * Counts the tests that ran each statement. Ignores tests without coverage, and tests that neither passed nor failed.
 * Lines that ran at load time (constants, tables) count for every test with coverage, if a failing test has coverage
 * and no test's own coverage contains their file.
 */
export function countSpectra(
  program: ProgramMap,
  outcomes: readonly TestOutcome[],
  coverage: ReadonlyMap<string, CoveredLines>,
  loaded: CoveredLines,
): Spectra {
  const statements = program.statements.map(() => ({ failing: 0, passing: 0 }));
  const skipped = program.branches.map(() => ({ failing: 0, passing: 0 }));
  const totals = { failing: 0, passing: 0 };
  for (const outcome of outcomes) {
    const lines = coverage.get(formatTestKey(outcome.key));
    const side = isFailing(outcome.status) ? "failing" : "passing";
    if (lines === undefined || (side === "passing" && outcome.status !== "passed")) continue;
    totals[side]++;
    const covered = coveredStatements(program, lines);
    for (const index of covered) {
      const counts = statements[index];
      if (counts !== undefined) counts[side]++;
    }
    program.branches.forEach(({ decision, first }, index) => {
      const counts = skipped[index];
      if (counts !== undefined && covered.has(decision) && !covered.has(first)) counts[side]++;
    });
  }
  const executed = new Set([...coverage.values()].flatMap((lines) => Object.keys(lines)));
  const loadedOnly = Object.entries(loaded).filter(([file]) => !executed.has(file));
  if (totals.failing > 0) {
    for (const index of coveredStatements(program, Object.fromEntries(loadedOnly)))
      statements[index] = { ...totals };
  }
  const complete = ({ failing, passing }: { failing: number; passing: number }): Spectrum => ({
    failingCovering: failing,
    failingOther: totals.failing - failing,
    passingCovering: passing,
    passingOther: totals.passing - passing,
  });
  return { statements: statements.map(complete), skipped: skipped.map(complete) };
}

function coveredStatements(program: ProgramMap, lines: CoveredLines): Set<number> {
  const covered = new Set<number>();
  for (const [file, executed] of Object.entries(lines)) {
    for (const line of executed) for (const index of program.at(file, line)) covered.add(index);
  }
  return covered;
}
