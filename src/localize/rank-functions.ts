import type { SignScores } from "./fault-signs.ts";
import type { FusedScores } from "./fuse-signs.ts";
import type { PlacedFunction } from "./program-map.ts";

export interface RankedFunction {
  readonly file: string;
  /** The name with its classes; absent for the top level of a file: class bodies, constants. */
  readonly function?: string;
  readonly startLine: number;
  readonly endLine: number;
  /** 0..1: the score of the function's most suspicious statement. */
  readonly score: number;
  readonly evidence: {
    /** The maximum number of failing tests, and of passing tests, that execute one of the function's statements. */
    readonly failingCovering: number;
    readonly failing: number;
    readonly passingCovering: number;
    readonly passing: number;
    /** The number of the function's statements with a sign, and the line of the most suspicious statement. */
    readonly suspects: number;
    readonly worstLine: number;
    readonly stackScore: number;
    readonly textScore: number;
  };
}

/**
 * Ranks functions by their most suspicious statement. Orders functions of equal score by their text score, then by
 * their place in the text. Leaves out functions without a suspicious statement.
 */
export function rankFunctions(signs: SignScores, fused: FusedScores): RankedFunction[] {
  const groups = new Map<PlacedFunction, number[]>();
  signs.program.statements.forEach((placed, index) => {
    if ((fused.scores[index] ?? 0) <= 0) return;
    const group = groups.get(placed.function);
    if (group === undefined) groups.set(placed.function, [index]);
    else group.push(index);
  });
  return [...groups]
    .map(([place, indices]) => describe(signs, fused, place, indices))
    .sort((a, b) => b.score - a.score || b.evidence.textScore - a.evidence.textScore);
}

function describe(
  signs: SignScores,
  { scores }: FusedScores,
  place: PlacedFunction,
  indices: readonly number[],
): RankedFunction {
  const most = (read: (index: number) => number | undefined): number =>
    indices.reduce((largest, index) => Math.max(largest, read(index) ?? 0), 0);
  const score = most((index) => scores[index]);
  const worst = indices.find((index) => scores[index] === score) ?? 0;
  const spectrum = signs.spectra[worst];
  return {
    file: place.file,
    ...(place.name === undefined ? {} : { function: place.name }),
    startLine: place.startLine,
    endLine: place.endLine,
    score,
    evidence: {
      failingCovering: most((index) => signs.spectra[index]?.failingCovering),
      failing: signs.failing.length,
      passingCovering: most((index) => signs.spectra[index]?.passingCovering),
      passing: (spectrum?.passingCovering ?? 0) + (spectrum?.passingOther ?? 0),
      suspects: indices.length,
      worstLine: signs.program.statements[worst]?.statement.startLine ?? place.startLine,
      stackScore: most((index) => signs.stack[index]),
      textScore: signs.functionText.get(place) ?? 0,
    },
  };
}
