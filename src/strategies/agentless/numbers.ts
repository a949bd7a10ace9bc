/** The number of samples in each stage. */
export interface Numbers {
  /** Number of separate sets of edit locations. */
  readonly locations: number;
  /** Total number of patches for all sets. */
  readonly patches: number;
  readonly reproductions: number;
}

/** The numbers of Agentless 1.5: 4 sets of locations, 10 patches for each set (40 in total), and 40 tests. */
export const published = { locations: 4, patches: 40, reproductions: 40 } as const satisfies Numbers;

/**
 * Returns the published numbers. If `samples` is given: `samples` patches, `samples` tests, and √`samples` sets of
 * locations, rounded down, at most four.
 */
export function numbersOf(samples: number | undefined): Numbers {
  if (samples === undefined) return published;
  const locations = Math.min(published.locations, Math.floor(Math.sqrt(samples)));
  return { locations, patches: samples, reproductions: samples };
}

/**
 * Returns the number of patches to sample for the set at `index`. Divides the patches equally; the first sets get the
 * remainder.
 */
export function patchesOfSet({ patches }: Numbers, sets: number, index: number): number {
  return Math.floor(patches / sets) + (index < patches % sets ? 1 : 0);
}

/** The temperature of all samples except the first patch and the first test. These two use temperature 0. */
export const sampledTemperature = 0.8;
