/** Failing tests that run different code may fail for different faults. Pure. */
import { type CoveredLines, formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";

/** Tests with a smaller share of common lines (Jaccard) run different code. */
const leastCommon = 0.6;
/** What a statement's score for some of the failing tests counts against its score for all. */
const partialFactor = 0.8;

/** Groups of tests that run nearly the same lines; tests without coverage are one group. The largest group first. */
export function groupByCoverage(
  targets: readonly TestOutcome[],
  coverage: ReadonlyMap<string, CoveredLines>,
): TestOutcome[][] {
  const groups: { readonly lines: ReadonlySet<string>; readonly tests: TestOutcome[] }[] = [];
  for (const test of targets) {
    const lines = linesOf(coverage.get(formatTestKey(test.key)) ?? {});
    const group = groups.find((each) => shareOf(each.lines, lines) >= leastCommon);
    if (group === undefined) groups.push({ lines, tests: [test] });
    else group.tests.push(test);
  }
  return groups.map(({ tests }) => tests).sort((a, b) => b.length - a.length);
}

function linesOf(covered: CoveredLines): Set<string> {
  return new Set(Object.entries(covered).flatMap(([file, lines]) => lines.map((line) => `${file}:${line}`)));
}

function shareOf(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 && b.size === 0) return 1;
  const common = a.intersection(b).size;
  return common / (a.size + b.size - common);
}

/**
 * Where failing tests run different code, a statement that only some of them run is also ranked as if they were all: Ochiai's
 * k/√(n·(k+p)) for k of n failing tests becomes k/√(k·(k+p)).
 */
export function rankForGroups(
  ranked: readonly RankedStatement[],
  groups: readonly (readonly TestOutcome[])[],
): readonly RankedStatement[] {
  if (groups.length < 2) return ranked;
  return ranked
    .map((statement) => {
      const { failing, failingCovering } = statement.evidence;
      if (failingCovering === 0) return statement;
      const alone = Math.min(1, statement.score * Math.sqrt(failing / failingCovering));
      return { ...statement, score: Math.max(statement.score, partialFactor * alone) };
    })
    .sort((a, b) => b.score - a.score);
}
