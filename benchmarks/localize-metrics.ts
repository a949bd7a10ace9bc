/** Computes the rank of the true places in a ranking. Equal scores get their average rank. */

export interface Placement {
  /**
   * The expected rank of the best true element, from 1, when those of equal score are shuffled; undefined where none of them
   * is ranked.
   */
  readonly first: number | undefined;
  /** Average precision, with each true element at the middle of those of its score. */
  readonly precision: number;
}

export interface Scored {
  readonly score: number;
  readonly isTrue: boolean;
}

/** `elements` need no order. Those of score 0 are not ranked; `wanted` is how many are true, ranked or not. */
export function place(elements: readonly Scored[], wanted: number): Placement {
  const ranked = elements.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  let first: number | undefined;
  const ranks: number[] = [];
  for (let start = 0; start < ranked.length; ) {
    let end = start;
    while (end < ranked.length && ranked[end]?.score === ranked[start]?.score) end += 1;
    const tied = end - start;
    const hits = ranked.slice(start, end).filter(({ isTrue }) => isTrue).length;
    // The first of h among t shuffled ones stands at (t + 1) / (h + 1).
    if (hits > 0) first ??= start + (tied + 1) / (hits + 1);
    for (let hit = 1; hit <= hits; hit += 1) ranks.push(start + (hit * (tied + 1)) / (hits + 1));
    start = end;
  }
  const precision = ranks.reduce((sum, rank, index) => sum + (index + 1) / rank, 0);
  return { first, precision: wanted === 0 ? 0 : precision / wanted };
}

export interface Summary {
  readonly cases: number;
  readonly top1: number;
  readonly top5: number;
  readonly top10: number;
  readonly map: number;
  readonly mrr: number;
}

export function summarize(placements: readonly Placement[]): Summary {
  const within = (most: number): number =>
    placements.filter(({ first }) => first !== undefined && first <= most).length;
  const mean = (read: (placement: Placement) => number): number =>
    placements.length === 0
      ? 0
      : placements.reduce((sum, placement) => sum + read(placement), 0) / placements.length;
  return {
    cases: placements.length,
    top1: within(1),
    top5: within(5),
    top10: within(10),
    map: mean(({ precision }) => precision),
    mrr: mean(({ first }) => (first === undefined ? 0 : 1 / first)),
  };
}
