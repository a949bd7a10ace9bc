/** Combines all signs into one score for each statement. */

import type { Role } from "../syntax/dialect.ts";
import type { SignScores } from "./fault-signs.ts";
import { type Formula, scaleScores } from "./formulas.ts";

/** The relative weight of each sign. */
export interface Weights {
  readonly spectrum: number;
  /**
   * A condition gets at least this multiple of the score of the code that it guards: `taken` for executed code,
   * `skipped` for skipped code. `taken` is above 1: if only failing tests enter a branch, the condition is wrong more
   * often than the branch's content.
   */
  readonly taken: number;
  readonly skipped: number;
  readonly stack: number;
  readonly text: number;
  readonly functionText: number;
  readonly name: number;
  /** Breaks ties: a statement with more operators has more possible faults. */
  readonly operators: number;
  /** The weight of a statement's kind: 0 none, 1 as in `shareOfRole`. */
  readonly kinds: number;
}

/** The weights for failing tests with coverage. `benchmarks/localize.ts` chose them on faults of real repositories. */
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
/** The weights for failing tests without coverage. */
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

/** The basis of a ranking: the strongest available evidence. */
export type RankingBasis = "coverage" | "stack-traces" | "names" | "nothing";

export interface FusedScores {
  readonly basis: RankingBasis;
  /** The score of each statement, from 0 to 1. */
  readonly scores: readonly number[];
  /** The formula's part of the score, 0..1. */
  readonly formula: readonly number[];
  /** The formula's score of the code that the statement guards; 0 if it guards none. */
  readonly branch: readonly number[];
}

/**
 * The relative likelihood that a statement of this kind is at fault, among others with the same signs. Definitions run
 * when their module is loaded, whichever test comes first. Fixes change conditions most often, and code that raises an
 * error only reports one.
 */
const shareOfRole: Partial<Record<Role, number>> = {
  function: 0.2,
  class: 0.2,
  raise: 0.7,
  if: 1.1,
  "else-if": 1.1,
};
const largestShare = 1.1;

/**
 * Combines signs into scores. A statement without any sign gets 0. A statement that no failing test executes also gets
 * 0, if failing tests execute other statements of its file. By default, the weights depend on whether failing tests
 * have coverage.
 */
export function fuseSigns(signs: SignScores, formula: Formula, given?: Weights): FusedScores {
  const basis = basisOf(signs);
  const weights = given ?? (basis === "coverage" ? coverageWeights : degradedWeights);
  const { own, branch } = scoreSpectra(signs, formula, weights, basis);
  if (basis === "nothing") return { basis, scores: own, formula: own, branch };
  const total = sumOf(weights, signs);
  const traced = tracedFiles(signs);
  const scores = signs.program.statements.map((placed, index) => {
    // No failing test executes it, although they execute others of its file, so it cannot be at fault.
    if (traced.has(placed.file) && signs.spectra[index]?.failingCovering === 0) return 0;
    const share = (shareOfRole[placed.statement.role] ?? 1) ** weights.kinds;
    const sum =
      weights.spectrum * Math.max(own[index] ?? 0, branch[index] ?? 0) +
      weights.stack * (signs.stack[index] ?? 0) +
      weights.text * (signs.text[index] ?? 0) +
      weights.functionText * (signs.functionText.get(placed.function) ?? 0) +
      weights.name * (signs.name[index] ?? 0);
    // Operators alone are not a sign.
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
  // Scaled together, so that both use the same scale.
  const all = scaleScores(formula, [...spectra, ...skipped].map(formula.score));
  const own = all.slice(0, spectra.length);
  program.branches.forEach(({ decision, first }, index) => {
    const taken = weights.taken * (own[first] ?? 0);
    const against = weights.skipped * (all[spectra.length + index] ?? 0);
    branch[decision] = Math.max(branch[decision] ?? 0, taken, against);
  });
  return { own, branch };
}

/** 0..1; more than seven operators count as seven. */
function complexity(operators: number): number {
  return Math.min(1, Math.log2(1 + operators) / 3);
}

/** The largest possible score. Signs without any information do not count, so that they do not lower the scores. */
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
