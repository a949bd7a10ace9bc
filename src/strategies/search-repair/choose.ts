import type { Judged } from "./search.ts";

/**
 * Plausible candidates, best first: those that also repair failing tests which were not asked for, then in the order in
 * which they were proposed.
 */
export function choosePlausible(judged: readonly Judged[]): Judged[] {
  return judged
    .filter((each) => each.verdict.verdict === "plausible")
    .sort((a, b) => b.verdict.othersFixed - a.verdict.othersFixed || a.rank - b.rank);
}
