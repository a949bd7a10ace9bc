/** One score for each statement out of all signs. */

import type { SignScores } from "./fault-signs.ts";
import { type Formula, scaleScores } from "./formulas.ts";

/** What each sign counts beside the others. */
export interface Weights {
  readonly spectrum: number;
  readonly stack: number;
  readonly text: number;
  readonly functionText: number;
  readonly name: number;
}

/** Beside coverage; chosen on measured faults by `benchmarks/localize.ts`. */
export const coverageWeights: Weights = { spectrum: 1, stack: 0.25, text: 0.1, functionText: 0.15, name: 0 };
/** Where no failing test's lines are known. */
export const degradedWeights: Weights = { spectrum: 0, stack: 1, text: 0.1, functionText: 0.2, name: 0.1 };

/** What the ranking rests on, the strongest first. */
export type RankingBasis = "coverage" | "stack-traces" | "names" | "nothing";

export interface FusedScores {
  readonly basis: RankingBasis;
  /** 0..1 by statement. */
  readonly scores: readonly number[];
  /** The formula's part alone, 0..1. */
  readonly formula: readonly number[];
}

/** Definitions run when their module is loaded, whichever test comes first. */
const definitionShare = 0.2;

/** A statement without any sign of fault has 0. */
export function fuseSigns(signs: SignScores, formula: Formula, given?: Weights): FusedScores {
  const { program, spectra } = signs;
  const basis = basisOf(signs);
  const formulaScores = scaleScores(
    formula,
    basis === "coverage" ? spectra.map(formula.score) : spectra.map(() => 0),
  );
  if (basis === "nothing") return { basis, scores: formulaScores, formula: formulaScores };
  const weights = given ?? (basis === "coverage" ? coverageWeights : degradedWeights);
  const total = sumOf(weights, signs);
  const traced = tracedFiles(signs);
  const scores = program.statements.map((placed, index) => {
    // No failing test executes it, though they execute others of its file: it cannot be at fault.
    if (traced.has(placed.file) && spectra[index]?.failingCovering === 0) return 0;
    const { role } = placed.statement;
    const share = role === "function" || role === "class" ? definitionShare : 1;
    const sum =
      weights.spectrum * (formulaScores[index] ?? 0) +
      weights.stack * (signs.stack[index] ?? 0) +
      weights.text * (signs.text[index] ?? 0) +
      weights.functionText * (signs.functionText.get(placed.function) ?? 0) +
      weights.name * (signs.name[index] ?? 0);
    return Math.min(1, (share * sum) / total);
  });
  return { basis, scores, formula: formulaScores };
}

/** A sign that says nothing at all does not lower the others. */
function sumOf(weights: Weights, signs: SignScores): number {
  const speaks = (scores: readonly number[]): boolean => scores.some((score) => score > 0);
  const texts = speaks([...signs.functionText.values()]);
  return (
    weights.spectrum +
    (speaks(signs.stack) ? weights.stack : 0) +
    (texts ? weights.text + weights.functionText : 0) +
    (speaks(signs.name) ? weights.name : 0)
  );
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
