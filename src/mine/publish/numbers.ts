/** Computes statistics for a dataset's card, such as the mean and median of a list of numbers. */

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
