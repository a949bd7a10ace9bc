import {
  type Agreement,
  describeAgreement,
  factorOf,
  listReservations,
  type Reservation,
} from "../../repair/agreement.ts";
import { listStrongDoubts, rankPlausible } from "../../repair/rank-plausible.ts";
import type { Agreements } from "./agreement.ts";
import type { Judged } from "./search.ts";
import type { Stated } from "./stated.ts";

export interface Choice {
  /** Plausible candidates, best first. */
  readonly plausible: readonly Judged[];
  /** What speaks against the best one though it passes every test: signs of a patch that fits the tests only. */
  readonly doubts: readonly string[];
  /** How far the others do the same as the best one, for people. */
  readonly remarks: readonly string[];
  /** Of the doubts, those that hardly any real fix has. */
  readonly strongDoubts: readonly string[];
  /** What a comparison on further inputs says against the best one; undefined where there was none. */
  readonly reservations: readonly Reservation[] | undefined;
  /** What the statement names, where the best one stands neither there nor in what that reaches. */
  readonly apartFrom: readonly string[] | undefined;
}

/** A patch that stands apart from what the statement names is the likelier to be another fault's, or none's. */
const apartFactor = 0.3;

/**
 * What deletes or neutralises what is there comes last, and what ends the program where the base does not. Of the others those that
 * also repair failing tests which were not asked for come first; then what is smallest, most like the code around it, least made for
 * the tests, stands where the statement points, and does the same as the others, and as the base where that is right.
 */
export function choosePlausible(
  all: readonly Judged[],
  agreements: Agreements = new Map(),
  stated?: Stated,
): Choice {
  const forms = rankPlausible(all.map(({ proposal }) => ({ proposal, text: proposal.base })));
  const formOf = new Map(forms.map((form) => [form.patch.proposal, form]));
  const place = new Map(forms.map(({ patch }, index) => [patch.proposal, index]));
  const placeOf = (each: Judged): number => place.get(each.proposal) ?? forms.length;
  const least = Math.min(1, ...[...agreements.values()].map(factorOf));
  const scoreOf = (each: Judged): number => {
    const agreement = agreements.get(each);
    // What cannot be compared stands with the worst of those that can.
    const place = stated?.apart.has(each) === true ? apartFactor : 1;
    const form = formOf.get(each.proposal)?.score ?? 0;
    return form * place * (agreement === undefined ? least : factorOf(agreement));
  };
  const isLastResort = (each: Judged): boolean =>
    formOf.get(each.proposal)?.isLastResort === true || (agreements.get(each)?.broken ?? 0) > 0;
  const plausible = [...all].sort(
    (a, b) =>
      Number(isLastResort(a)) - Number(isLastResort(b)) ||
      b.verdict.othersFixed - a.verdict.othersFixed ||
      scoreOf(b) - scoreOf(a) ||
      placeOf(a) - placeOf(b),
  );
  const [best] = plausible;
  const agreement = best && agreements.get(best);
  const standing = agreement && standingOf(best, agreement, all, scoreOf);
  return {
    plausible,
    doubts: (best && formOf.get(best.proposal)?.doubts) ?? [],
    remarks: agreement === undefined ? [] : [describeAgreement(agreement, standing)],
    strongDoubts: best === undefined ? [] : listStrongDoubts(best.proposal.base, best.proposal),
    reservations:
      agreement === undefined || agreement.inputs === 0 ? undefined : listReservations(agreement, standing),
    apartFrom: best !== undefined && stated?.apart.has(best) === true ? stated.names : undefined,
  };
}

function standingOf(
  best: Judged,
  { alike }: Agreement,
  all: readonly Judged[],
  scoreOf: (each: Judged) => number,
): number {
  const same = all.filter((each) => each === best || alike.includes(each.rank + 1));
  const sum = (some: readonly Judged[]): number => some.reduce((total, each) => total + scoreOf(each), 0);
  return sum(same) / (sum(all) || 1);
}
