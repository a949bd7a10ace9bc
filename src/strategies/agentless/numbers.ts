/** How many samples each stage takes. */
export interface Numbers {
  /** Sets of edit locations, each kept apart. */
  readonly locations: number;
  /** Patches of all sets together. */
  readonly patches: number;
  readonly reproductions: number;
}

/** Agentless 1.5: 4 sets of locations, 10 patches for each, 40 tests. */
export const published = { locations: 4, patches: 40, reproductions: 40 } as const satisfies Numbers;

/** The published numbers without `samples`; with it so many patches and tests, of fewer sets where there are few. */
export function numbersOf(samples: number | undefined): Numbers {
  if (samples === undefined) return published;
  const locations = Math.min(published.locations, Math.floor(Math.sqrt(samples)));
  return { locations, patches: samples, reproductions: samples };
}

/** Patches of each set: as many as of the others, the first ones one more where they do not divide. */
export function patchesOfSet({ patches }: Numbers, sets: number, index: number): number {
  return Math.floor(patches / sets) + (index < patches % sets ? 1 : 0);
}

/** Of what is sampled; the first sample of a patch and of a test is decoded greedily. */
export const sampledTemperature = 0.8;
