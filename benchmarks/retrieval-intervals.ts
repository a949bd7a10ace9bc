/**
 * Computes the interval of a difference to plain BM25: draws the tasks again with replacement, a few thousand times.
 * The draws are the same in every run.
 */
import { randomFrom } from "./edit-random.ts";

export interface Interval {
  readonly mean: number;
  /** 95 % of the draws lie between both. */
  readonly low: number;
  readonly high: number;
}

const draws = 4000;

/** Of each task what ours has more than the other: 1, 0 or -1. */
export function intervalOf(differences: readonly number[]): Interval {
  const count = differences.length;
  if (count === 0) return { mean: 0, low: 0, high: 0 };
  const random = randomFrom("retrieval");
  const means = Array.from({ length: draws }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < count; drawn++) sum += differences[Math.floor(random() * count)] ?? 0;
    return sum / count;
  }).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.floor((draws - 1) * share)] ?? 0;
  const mean = differences.reduce((sum, difference) => sum + difference, 0) / count;
  return { mean, low: at(0.025), high: at(0.975) };
}
