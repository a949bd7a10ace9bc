/** Fault localisation: ranks the statements and functions of a program by suspiciousness, with reasons. */
import { countOf } from "../base/count.ts";
import type { LanguageOf } from "../syntax/read-source.ts";
import { type FaultSigns, type SignScores, scoreSigns } from "./fault-signs.ts";
import { type Formula, ochiai } from "./formulas.ts";
import { type FusedScores, fuseSigns, type RankingBasis, type Weights } from "./fuse-signs.ts";
import type { PlacedStatement } from "./program-map.ts";
import { type RankedFunction, rankFunctions } from "./rank-functions.ts";

export interface RankingInput extends FaultSigns {
  readonly languageOf: LanguageOf;
  /** The formula of suspiciousness. Default: Ochiai. */
  readonly formula?: Formula;
  /** The weights of the signs. Default: those of the basis. */
  readonly weights?: Weights;
}

export interface Evidence {
  readonly failingCovering: number;
  readonly failing: number;
  readonly passingCovering: number;
  readonly passing: number;
  readonly formulaScore: number;
  /** The formula's score of the code that the statement guards, executed or skipped; 0 if it guards none. */
  readonly branchScore: number;
  readonly stackScore: number;
  /** The match of the statement's own words, and of its function's words, with the failing tests. */
  readonly textScore: number;
  readonly functionTextScore: number;
}

export interface RankedStatement {
  readonly file: string;
  /** Lines from 1; for a compound statement, its header. */
  readonly startLine: number;
  readonly endLine: number;
  readonly function?: string;
  /** The statement's suspiciousness, from 0 to 1. */
  readonly score: number;
  readonly evidence: Evidence;
}

export interface Ranking {
  readonly basis: RankingBasis;
  /** A sentence for people: the basis of the ranking. */
  readonly explanation: string;
  /** Sentences for people about missing data that would have helped. */
  readonly missing: readonly string[];
  /** Best first; leaves out statements without any sign. */
  readonly statements: readonly RankedStatement[];
  readonly functions: readonly RankedFunction[];
}

/**
 * Ranks statements by their spectrum, combined with stack traces and texts. Without coverage, uses the other signs
 * only, and says so.
 */
export async function rankStatements(input: RankingInput): Promise<Ranking> {
  const formula = input.formula ?? ochiai;
  const signs = await scoreSigns(input, input.languageOf);
  const fused = fuseSigns(signs, formula, input.weights);
  return {
    basis: fused.basis,
    explanation: explain(fused.basis, formula, input, signs),
    missing: listMissing(fused.basis, signs),
    statements: orderStatements(signs, fused).map((index) => describe(signs, fused, index)),
    functions: rankFunctions(signs, fused),
  };
}

/**
 * Returns the indices of the statements with a score above 0, best first. Orders equal scores by the stack traces'
 * score, then by the names' score, then by place in the text.
 */
export function orderStatements({ program, stack, name }: SignScores, { scores }: FusedScores): number[] {
  const by = (values: readonly number[], a: number, b: number): number => (values[b] ?? 0) - (values[a] ?? 0);
  return [...program.statements.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((a, b) => by(scores, a, b) || by(stack, a, b) || by(name, a, b) || a - b);
}

function describe(signs: SignScores, fused: FusedScores, index: number): RankedStatement {
  const placed = signs.program.statements[index] as PlacedStatement;
  const { statement, function: around } = placed;
  const spectrum = signs.spectra[index];
  return {
    file: placed.file,
    startLine: statement.startLine,
    endLine: statement.endLine,
    ...(around.name === undefined ? {} : { function: around.name }),
    score: fused.scores[index] ?? 0,
    evidence: {
      failingCovering: spectrum?.failingCovering ?? 0,
      failing: signs.failing.length,
      passingCovering: spectrum?.passingCovering ?? 0,
      passing: (spectrum?.passingCovering ?? 0) + (spectrum?.passingOther ?? 0),
      formulaScore: fused.formula[index] ?? 0,
      branchScore: Math.min(1, fused.branch[index] ?? 0),
      stackScore: signs.stack[index] ?? 0,
      textScore: signs.text[index] ?? 0,
      functionTextScore: signs.functionText.get(around) ?? 0,
    },
  };
}

function explain(
  basis: RankingBasis,
  formula: Formula,
  { outcomes, statement }: FaultSigns,
  { failing }: SignScores,
): string {
  const tests = countOf(failing.length, "failing test");
  const passed = outcomes.filter((outcome) => outcome.status === "passed").length;
  const stated = statement.trim() === "" ? "" : ", and the statement";
  switch (basis) {
    case "coverage":
      return `Ranked by ${formula.name} from the executed lines of ${failing.length} failing and ${countOf(passed, "passing test")}, with the stack traces and the failing tests' texts${stated}.`;
    case "stack-traces":
      return `No coverage of a failing test is known. The ranking uses only the stack traces and texts of ${tests}${stated}.`;
    case "names":
      return `No coverage and no stack trace reaches the program. The ranking uses only the names and texts of ${tests}${stated}.`;
    case "nothing":
      return `Nothing connects ${tests} with the program's files.`;
  }
}

function listMissing(basis: RankingBasis, { stack, failing, testsRead }: SignScores): string[] {
  const missing: string[] = [];
  if (basis !== "coverage") missing.push("The executed lines of the failing tests are unknown.");
  if (!stack.some((score) => score > 0)) missing.push("No stack trace reaches the program.");
  if (testsRead < failing.length)
    missing.push(
      `The text of ${failing.length - testsRead} of ${countOf(failing.length, "failing test")} was not found.`,
    );
  return missing;
}
