/** The compared rankings, with the rank of the true statement and function in each. */
import { languageOf } from "../src/languages/source-files.ts";
import { type SignScores, scoreSigns } from "../src/localize/fault-signs.ts";
import type { Formula } from "../src/localize/formulas.ts";
import { coverageWeights, fuseSigns, type Weights } from "../src/localize/fuse-signs.ts";
import { rankFunctions } from "../src/localize/rank-functions.ts";
import { focusOn } from "./localize-focus.ts";
import type { MeasuredCase } from "./localize-measure.ts";
import { type Placement, place } from "./localize-metrics.ts";
import { readTruth, statementId } from "./localize-truth.ts";

export interface PreparedCase {
  readonly measured: MeasuredCase;
  readonly signs: SignScores;
  /** By statement: whether the fix says that it was at fault. */
  readonly isTrue: readonly boolean[];
  /** How many statements the fix touches, those in files that no sign leads to among them. */
  readonly wanted: number;
}

export interface Variant {
  readonly name: string;
  /** Undefined: those that users get, whatever there is to rank by. */
  readonly weights: Weights | undefined;
}

const alone: Weights = {
  spectrum: 1,
  taken: 0,
  skipped: 0,
  stack: 0,
  text: 0,
  functionText: 0,
  name: 0,
  operators: 0,
  kinds: 0,
};
const { taken, skipped, operators, kinds, stack, text, functionText, name } = coverageWeights;
const program: Weights = { ...alone, taken, skipped, operators, kinds };

export const variants: readonly Variant[] = [
  { name: "formula alone", weights: alone },
  { name: "+ program", weights: program },
  { name: "+ program, stack traces", weights: { ...program, stack } },
  { name: "+ program, texts", weights: { ...program, text, functionText, name } },
  { name: "+ all", weights: undefined },
];

export async function prepareCase(measured: MeasuredCase): Promise<PreparedCase> {
  const focused = focusOn(measured.signs, measured.case.failingTests);
  const truth = await readTruth(measured.case.fix, measured.signs.texts);
  const signs = await scoreSigns(focused, languageOf);
  const isTrue = signs.program.statements.map((_, index) =>
    truth.statements.has(statementId(signs.program, index)),
  );
  return { measured, signs, isTrue, wanted: Math.max(1, truth.statements.size) };
}

export interface CasePlacement {
  readonly statement: Placement;
  readonly function: Placement;
}

export function placeCase(
  { signs, isTrue, wanted }: PreparedCase,
  formula: Formula,
  weights: Weights | undefined,
): CasePlacement {
  const fused = fuseSigns(signs, formula, weights);
  const places = signs.program.statements.map(({ function: around }) => around);
  const trueFunctions = new Set(places.filter((_, index) => isTrue[index]));
  const trueStarts = new Set(
    [...trueFunctions].map(({ file, name, startLine }) => key(file, name, startLine)),
  );
  const functions = rankFunctions(signs, fused).map((ranked) => ({
    score: ranked.score,
    isTrue: trueStarts.has(key(ranked.file, ranked.function, ranked.startLine)),
  }));
  return {
    statement: place(
      fused.scores.map((score, index) => ({ score, isTrue: isTrue[index] ?? false })),
      wanted,
    ),
    function: place(functions, Math.max(1, trueFunctions.size)),
  };
}

function key(file: string, name: string | undefined, startLine: number): string {
  return `${file}:${name}:${startLine}`;
}
