/** One score for each statement out of all signs. */

import type { Role } from "../syntax/dialect.ts";
import type { SignScores } from "./fault-signs.ts";
import { type Formula, scaleScores } from "./formulas.ts";

/** What each sign counts beside the others. */
export interface Weights {
  readonly spectrum: number;
  /**
   * A decision has at least so much of the score of what it decides about: of what is executed, and of not executing it. Above
   * 1, for where only failing tests enter a branch, its condition is wrong more often than what stands in it.
   */
  readonly taken: number;
  readonly skipped: number;
  readonly stack: number;
  readonly text: number;
  readonly functionText: number;
  readonly name: number;
  /** The more operators a statement has, the more can be wrong with it: decides among those that are alike otherwise. */
  readonly operators: number;
  /** How much the kind of a statement counts: 0 not at all, 1 as in `shareOfRole`. */
  readonly kinds: number;
}

/** Beside coverage; chosen on measured faults of real repositories by `benchmarks/localize.ts`. */
export const coverageWeights: Weights = {
  spectrum: 1,
  taken: 1.1,
  skipped: 0.8,
  stack: 0.1,
  text: 0.1,
  functionText: 0.1,
  name: 0.2,
  operators: 0.03,
  kinds: 1,
};
/** Where no failing test's lines are known. */
export const degradedWeights: Weights = {
  spectrum: 0,
  taken: 0,
  skipped: 0,
  stack: 1,
  text: 0.1,
  functionText: 0.2,
  name: 0.1,
  operators: 0.03,
  kinds: 1,
};

/** What the ranking rests on, the strongest first. */
export type RankingBasis = "coverage" | "stack-traces" | "names" | "nothing";

export interface FusedScores {
  readonly basis: RankingBasis;
  /** 0..1 by statement. */
  readonly scores: readonly number[];
  /** The formula's part alone, 0..1. */
  readonly formula: readonly number[];
  /** The formula's part of what the statement decides about, 0 where it decides nothing. */
  readonly branch: readonly number[];
}

/**
 * How likely each kind of statement is at fault beside others with the same signs: definitions run when their module is
 * loaded, whichever test comes first; conditions are what fixes change most, and what raises an error only says that there is one.
 */
const shareOfRole: Partial<Record<Role, number>> = {
  function: 0.2,
  class: 0.2,
  raise: 0.7,
  if: 1.1,
  "else-if": 1.1,
};
const largestShare = 1.1;

/** A statement without any sign of fault has 0. */
export function fuseSigns(signs: SignScores, formula: Formula, given?: Weights): FusedScores {
  const basis = basisOf(signs);
  const weights = given ?? (basis === "coverage" ? coverageWeights : degradedWeights);
  const { own, branch } = scoreSpectra(signs, formula, weights, basis);
  if (basis === "nothing") return { basis, scores: own, formula: own, branch };
  const total = sumOf(weights, signs);
  const traced = tracedFiles(signs);
  const scores = signs.program.statements.map((placed, index) => {
    // No failing test executes it, though they execute others of its file: it cannot be at fault.
    if (traced.has(placed.file) && signs.spectra[index]?.failingCovering === 0) return 0;
    const share = (shareOfRole[placed.statement.role] ?? 1) ** weights.kinds;
    const sum =
      weights.spectrum * Math.max(own[index] ?? 0, branch[index] ?? 0) +
      weights.stack * (signs.stack[index] ?? 0) +
      weights.text * (signs.text[index] ?? 0) +
      weights.functionText * (signs.functionText.get(placed.function) ?? 0) +
      weights.name * (signs.name[index] ?? 0);
    // Operators alone are no sign.
    return sum === 0 ? 0 : (share * (sum + weights.operators * complexity(placed.operators))) / total;
  });
  return { basis, scores, formula: own, branch };
}

function scoreSpectra(
  { program, spectra, skipped }: SignScores,
  formula: Formula,
  weights: Weights,
  basis: RankingBasis,
): { readonly own: readonly number[]; readonly branch: readonly number[] } {
  const branch: number[] = program.statements.map(() => 0);
  if (basis !== "coverage") return { own: branch, branch };
  // Together, so that both are laid on the same scale.
  const all = scaleScores(formula, [...spectra, ...skipped].map(formula.score));
  const own = all.slice(0, spectra.length);
  program.branches.forEach(({ decision, first }, index) => {
    const taken = weights.taken * (own[first] ?? 0);
    const against = weights.skipped * (all[spectra.length + index] ?? 0);
    branch[decision] = Math.max(branch[decision] ?? 0, taken, against);
  });
  return { own, branch };
}

/** 0..1; more than seven operators are no worse. */
function complexity(operators: number): number {
  return Math.min(1, Math.log2(1 + operators) / 3);
}

/** A sign that says nothing at all does not lower the others. */
function sumOf(weights: Weights, signs: SignScores): number {
  const speaks = (scores: readonly number[]): boolean => scores.some((score) => score > 0);
  const texts = speaks([...signs.functionText.values()]);
  const sum =
    weights.operators +
    weights.spectrum * Math.max(1, weights.taken, weights.skipped) +
    (speaks(signs.stack) ? weights.stack : 0) +
    (texts ? weights.text + weights.functionText : 0) +
    (speaks(signs.name) ? weights.name : 0);
  return largestShare * sum;
}

function tracedFiles({ program, spectra }: SignScores): ReadonlySet<string> {
  return new Set(
    program.statements
      .filter((_, index) => (spectra[index]?.failingCovering ?? 0) > 0)
      .map((placed) => placed.file),
  );
}

function basisOf(signs: SignScores): RankingBasis {
  if (signs.spectra.some((spectrum) => spectrum.failingCovering > 0)) return "coverage";
  if (signs.stack.some((score) => score > 0)) return "stack-traces";
  const named = signs.name.some((score) => score > 0);
  return named || [...signs.functionText.values()].some((score) => score > 0) ? "names" : "nothing";
}
