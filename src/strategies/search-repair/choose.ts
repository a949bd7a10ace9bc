import { rankPlausible } from "../../repair/rank-plausible.ts";
import type { Judged } from "./search.ts";

export interface Choice {
  /** Plausible candidates, best first. */
  readonly plausible: readonly Judged[];
  /** What speaks against the best one though it passes every test: signs of a patch that fits the tests only. */
  readonly doubts: readonly string[];
}

/**
 * Those that also repair failing tests which were not asked for come first; then what is smallest, most like the code around
 * it, and least made for the tests.
 */
export function choosePlausible(all: readonly Judged[]): Choice {
  const ranked = rankPlausible(all.map(({ proposal }) => ({ proposal, text: proposal.base })));
  const place = new Map(ranked.map(({ patch }, index) => [patch.proposal, index]));
  const placeOf = (each: Judged): number => place.get(each.proposal) ?? ranked.length;
  const plausible = [...all].sort(
    (a, b) => b.verdict.othersFixed - a.verdict.othersFixed || placeOf(a) - placeOf(b),
  );
  const best = ranked.find(({ patch }) => patch.proposal === plausible[0]?.proposal);
  return { plausible, doubts: best?.doubts ?? [] };
}
