/** Computes intervals and other statistics for batches. Each function names its published formula. */

/** An interval around a share or a mean. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** The normal distribution's two-sided 95 % quantile. */
const z95 = 1.959963984540054;

/**
 * Computes Wilson's score interval of a share (E. B. Wilson, 1927), 95 % by default. It is also valid for few tasks,
 * and for shares of 0 and 1. `z`: the normal quantile of the confidence level.
 */
export function wilsonInterval(successes: number, total: number, z = z95): Interval {
  if (total === 0) return { low: 0, high: 1 };
  const share = successes / total;
  const square = z ** 2 / total;
  const middle = (share + square / 2) / (1 + square);
  const half = (z / (1 + square)) * Math.sqrt((share * (1 - share)) / total + square / (4 * total));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/**
 * Computes the unbiased estimate of pass@k (Chen et al., 2021): the probability that at least one of `k` attempts
 * resolves a task. `resolved`: number of the `total` attempts that resolved the task. Undefined for fewer than `k`
 * attempts.
 */
export function passAtK(total: number, resolved: number, k: number): number | undefined {
  if (total < k) return undefined;
  if (total - resolved < k) return 1;
  let missed = 1;
  for (let at = total - resolved + 1; at <= total; at += 1) missed *= 1 - k / at;
  return 1 - missed;
}

/** Quantiles for the confidence levels that surveys use. */
const quantiles: Readonly<Record<number, number>> = {
  90: 1.6448536269514722,
  95: z95,
  99: 2.5758293035489004,
};

/**
 * Computes the sample size for estimating a share within ± `margin` percentage points (Cochran, for a finite
 * population). `confidence`: 90, 95 or 99 percent. Undefined for other levels, and unless `margin` is positive.
 */
export function sampleSize(population: number, confidence: number, margin: number): number | undefined {
  const z = quantiles[confidence];
  if (z === undefined || margin <= 0) return undefined;
  const unlimited = (z ** 2 * 0.25) / (margin / 100) ** 2;
  return Math.min(population, Math.round(unlimited / (1 + (unlimited - 1) / population)));
}

/**
 * Computes McNemar's exact two-sided test (Q. McNemar, 1947, by the binomial distribution). `onlyFirst`, `onlySecond`:
 * the numbers of tasks that only the first or only the second agent resolves. Returns the p-value: the probability, for
 * equal agents, of a split at least as uneven.
 */
export function mcnemarExact(onlyFirst: number, onlySecond: number): number {
  const total = onlyFirst + onlySecond;
  let logTerm = -total * Math.LN2;
  let tail = Math.exp(logTerm);
  for (let at = 1; at <= Math.min(onlyFirst, onlySecond); at += 1) {
    logTerm += Math.log((total - at + 1) / at);
    tail += Math.exp(logTerm);
  }
  return Math.min(1, 2 * tail);
}

/**
 * Computes Cohen's kappa (J. Cohen, 1960) of two reviewers' labels of the same items. 1 is full agreement, 0 is
 * agreement by chance. Undefined without items, or if all labels of both reviewers are the same.
 */
export function cohenKappa(pairs: readonly (readonly [unknown, unknown])[]): number | undefined {
  const share = (count: number): number => count / pairs.length;
  const agreed = share(pairs.filter(([a, b]) => a === b).length);
  const byChance = [...new Set(pairs.flat())]
    .map((label) => [0, 1].map((at) => share(pairs.filter((pair) => pair[at] === label).length)))
    .reduce((sum, [first = 0, second = 0]) => sum + first * second, 0);
  return pairs.length === 0 || byChance === 1 ? undefined : (agreed - byChance) / (1 - byChance);
}

/**
 * Computes Pearson's correlation of two lists of equal length (K. Pearson, 1895); undefined if one list is constant.
 */
export function pearson(first: readonly number[], second: readonly number[]): number | undefined {
  const [one, other] = [fromMean(first), fromMean(second)];
  const product = (a: readonly number[], b: readonly number[]): number =>
    a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);
  const scale = Math.sqrt(product(one, one) * product(other, other));
  return scale === 0 ? undefined : product(one, other) / scale;
}

function fromMean(numbers: readonly number[]): number[] {
  const mean = numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
  return numbers.map((each) => each - mean);
}

/**
 * Computes the evidence against a fair coin: the likelihood of the two counts under a coin of unknown bias, divided by
 * their likelihood under a fair coin. The formula assumes that all biases are equally likely (the Beta-binomial mixture
 * of H. Robbins, 1970).
 */
export function coinEvidence(heads: number, tails: number): number {
  // Beta(heads + 1, tails + 1) * 2^n = 2^n / ((n + 1) * binomial(n, heads)).
  const total = heads + tails;
  let log = total * Math.LN2 - Math.log(total + 1);
  for (let at = 1; at <= Math.min(heads, tails); at += 1) log -= Math.log((total - at + 1) / at);
  return Math.exp(log);
}

const resamples = 10_000;

/**
 * Computes the percentile bootstrap's 95 % interval of a mean (B. Efron, 1979). Draws `resamples` samples with a random
 * generator seeded with `seed`. The interval of no numbers is 0 to 0.
 */
export function bootstrapMean(numbers: readonly number[], seed: number): Interval {
  if (numbers.length === 0) return { low: 0, high: 0 };
  const random = seededRandom(seed);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let drawn = 0; drawn < numbers.length; drawn += 1)
      sum += numbers[Math.floor(random() * numbers.length)] ?? 0;
    return sum / numbers.length;
  }).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.round(share * (resamples - 1))] ?? 0;
  return { low: at(0.025), high: at(0.975) };
}

/** Creates a generator of random numbers in [0, 1) (Mulberry32, T. Ettinger, 2017). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
