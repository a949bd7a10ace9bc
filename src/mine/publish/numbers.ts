/** Figures for a dataset's card, such as the spread of a number. */

export interface Spread {
  readonly mean: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(numbers: readonly number[]): Spread {
  if (numbers.length === 0) return { mean: 0, median: 0, max: 0 };
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? 0;
  const middle = (sorted.length - 1) / 2;
  return {
    mean: sorted.reduce((sum, each) => sum + each, 0) / sorted.length,
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    max: at(sorted.length - 1),
  };
}

/**
 * Cohen's kappa (J. Cohen, 1960) of two reviewers' verdicts on the same tasks. 1 is full agreement, 0 is agreement by
 * chance. Undefined if chance alone would agree fully.
 */
export function cohenKappa(pairs: readonly (readonly [boolean, boolean])[]): number | undefined {
  if (pairs.length === 0) return undefined;
  const share = (count: number): number => count / pairs.length;
  const agreed = share(pairs.filter(([a, b]) => a === b).length);
  const [first, second] = [share(pairs.filter(([a]) => a).length), share(pairs.filter(([, b]) => b).length)];
  const byChance = first * second + (1 - first) * (1 - second);
  return byChance === 1 ? undefined : (agreed - byChance) / (1 - byChance);
}
