/**
 * Groups failing tests by the code that they run. Tests that run different code may fail because of different faults.
 * Pure.
 */
import { type CoveredLines, formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";

/** Tests with a smaller share of common lines (Jaccard) run different code. */
const leastCommon = 0.6;
/** The weight of a statement's score for some of the failing tests relative to its score for all. */
const partialFactor = 0.8;

/** Maximum number of groups to compare with. Other tests join one last group. */
const mostGroups = 12;

interface Group {
  readonly lines: ReadonlySet<number>;
  readonly tests: TestOutcome[];
}

/**
 * Groups tests that run nearly the same lines, and returns the largest group first. Tests without coverage form one
 * group. Once there are `mostGroups` groups, all tests that fit none of them form one more. The time for grouping grows
 * with the number of lines that the tests run, not with the number of groups.
 */
export function groupByCoverage(
  targets: readonly TestOutcome[],
  coverage: ReadonlyMap<string, CoveredLines>,
): TestOutcome[][] {
  const groups: Group[] = [];
  const rest: TestOutcome[] = [];
  const number = createNumbering();
  for (const test of targets) {
    const lines = number(coverage.get(formatTestKey(test.key)) ?? {});
    const group = groups.find((each) => isAlike(each.lines, lines));
    if (group !== undefined) group.tests.push(test);
    else if (groups.length < mostGroups) groups.push({ lines: new Set(lines), tests: [test] });
    else rest.push(test);
  }
  const all = groups.map(({ tests }) => tests);
  return [...all, ...(rest.length > 0 ? [rest] : [])].sort((a, b) => b.length - a.length);
}

/** Numbers each line of each file: sets of numbers are compared faster than sets of names. */
function createNumbering(): (covered: CoveredLines) => readonly number[] {
  /** Numbers per file, more than any file has lines. */
  const perFile = 2 ** 24;
  const files = new Map<string, number>();
  return (covered) =>
    Object.entries(covered).flatMap(([file, lines]) => {
      const from = files.get(file) ?? files.size * perFile;
      files.set(file, from);
      return lines.map((line) => from + line);
    });
}

/** True if the tests share enough lines. Compares the sizes first, because the share is at most their ratio. */
function isAlike(a: ReadonlySet<number>, b: readonly number[]): boolean {
  if (a.size === 0 || b.length === 0) return a.size === b.length;
  const [small, large] = a.size < b.length ? [a.size, b.length] : [b.length, a.size];
  if (small < leastCommon * large) return false;
  let common = 0;
  for (const line of b) if (a.has(line)) common += 1;
  return common / (a.size + b.length - common) >= leastCommon;
}

/**
 * Ranks statements for failing tests that form groups with different code. Suppose k of n failing tests and p passing
 * tests run a statement. It then gets 0.8 times the score as if only these k tests failed, if that is more: Ochiai's
 * k/√(n·(k+p)) becomes k/√(k·(k+p)).
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
