import { addedLiterals } from "../../repair/added-comparison.ts";
import {
  type Agreement,
  addsToAll,
  addsToEach,
  describeAgreement,
  factorOf,
  ignoresInput,
  isConditional,
  isUndecided,
  listReservations,
  type Reservation,
  type Standing,
} from "../../repair/agreement.ts";
import { listStrongDoubts, rankPlausible } from "../../repair/rank-plausible.ts";
import { addsToResult, losesInput } from "../../repair/shifted-result.ts";
import type { TextChange } from "../../repair/syntax-check.ts";
import testedEntry from "../../repair/templates/tested-entry.ts";
import type { Agreements } from "./agreement.ts";
import type { PreparedProposal } from "./proposals.ts";
import type { Judged } from "./search.ts";
import type { Stated } from "./stated.ts";

export interface Choice {
  /** Plausible candidates, best first. */
  readonly plausible: readonly Judged[];
  /** Evidence against the best candidate, although it passes every test: signs of overfitting. */
  readonly doubts: readonly string[];
  /** Sentences for people that compare the best candidate with the others. */
  readonly remarks: readonly string[];
  /** The doubts that real fixes almost never raise. */
  readonly strongDoubts: readonly string[];
  /** Evidence against the best candidate, from its form and from further inputs. Undefined if there is none, and no further input was compared. */
  readonly reservations: readonly Reservation[] | undefined;
  /** The names of code in the statement, if the best patch changes neither this code nor code that it reaches. */
  readonly apartFrom: readonly string[] | undefined;
}

/**
 * The factor for a patch outside the code that the statement names. Such a patch more likely belongs to another fault,
 * or to none.
 */
const apartFactor = 0.3;
/** The factor for a patch that ignores an input, or that adds one number to every result although the statement blames only some results. */
const shiftFactor = 0.3;
/** The factor for a patch whose form only the failing test supports. */
const guessFactor = 0.3;

/** Facts about the plausible patches, in addition to their test results. */
export interface Known {
  readonly agreements?: Agreements;
  readonly stated?: Stated | undefined;
  readonly statement?: string;
  /** Candidates with a simpler form that also passes every test, and the description of this form. */
  readonly simpler?: ReadonlyMap<Judged, string>;
  /** Candidates whose simpler forms did not run, because no time was left. */
  readonly unchecked?: ReadonlySet<Judged>;
}

/**
 * Chooses among plausible patches. Compares them by these criteria, in this order:
 * - no sign of a last resort. Signs are deleted or neutralised code, and a simpler form that also passes all tests.
 *   Another sign is an input on which the patch hangs or ends the process although the base continues
 * - the number of other failing tests that it repairs
 * - a score of size, similarity to the surrounding code, independence of the tests, and the statement's named places.
 *   It also counts agreement with other patches and with the base (on inputs for which the base is right)
 */
export function choosePlausible(
  all: readonly Judged[],
  { agreements = new Map(), stated, statement = "", simpler = new Map(), unchecked = new Set() }: Known = {},
): Choice {
  const limited = isConditional(statement);
  const againstForm = new Map(all.map((each) => [each, listAgainstForm(each, limited)]));
  const isShift = (each: Judged, agreement: Agreement | undefined): boolean =>
    (againstForm.get(each) ?? []).length > 0 || (agreement !== undefined && addsToAll(agreement, limited));
  const forms = rankPlausible(all.map(({ proposal }) => ({ proposal, text: proposal.base })));
  const formOf = new Map(forms.map((form) => [form.patch.proposal, form]));
  const place = new Map(forms.map(({ patch }, index) => [patch.proposal, index]));
  const placeOf = (each: Judged): number => place.get(each.proposal) ?? forms.length;
  const least = Math.min(1, ...[...agreements.values()].map(factorOf));
  const scoreOf = (each: Judged): number => {
    const agreement = agreements.get(each);
    // A patch that cannot be compared ranks with the worst that can.
    const place = stated?.apart.has(each) === true ? apartFactor : 1;
    const form = formOf.get(each.proposal)?.score ?? 0;
    return (
      form *
      place *
      (isShift(each, agreement) ? shiftFactor : 1) *
      (listGuesses(each, agreement).length > 0 ? guessFactor : 1) *
      (agreement === undefined ? least : factorOf(agreement))
    );
  };
  const isLastResort = (each: Judged): boolean =>
    formOf.get(each.proposal)?.isLastResort === true ||
    (agreements.get(each)?.broken ?? 0) > 0 ||
    simpler.has(each);
  const plausible = [...all].sort(
    (a, b) =>
      Number(isLastResort(a)) - Number(isLastResort(b)) ||
      b.verdict.othersFixed - a.verdict.othersFixed ||
      scoreOf(b) - scoreOf(a) ||
      placeOf(a) - placeOf(b),
  );
  const [best] = plausible;
  const agreement = best && agreements.get(best);
  const standing =
    best === undefined || agreement === undefined
      ? {}
      : { limited, ...standingOf(best, agreement, all, scoreOf) };
  return {
    plausible,
    doubts: (best && formOf.get(best.proposal)?.doubts) ?? [],
    remarks: agreement === undefined ? [] : [describeAgreement(agreement, standing)],
    strongDoubts: best === undefined ? [] : listStrongDoubts(best.proposal.base, oneOf(best.proposal)),
    reservations:
      best &&
      listAgainst(agreement, standing, [
        ...(againstForm.get(best) ?? []),
        ...listGuesses(best, agreement),
        ...passesSimpler(simpler.get(best) ?? simplerOfAlike(agreement, simpler)),
        ...(unchecked.has(best) ? [uncheckedForm] : []),
      ]),
    apartFrom: best !== undefined && stated?.apart.has(best) === true ? stated.names : undefined,
  };
}

/** The change at one place, if the patch makes equal changes at several: the form of each says the same. */
function oneOf({ one, ...proposal }: PreparedProposal): TextChange {
  return one ?? proposal;
}

/** Other inputs cannot confirm such a patch, because it treats them as before. */
const onlyTested: Reservation = {
  says: "the patch adds an entry with a word of the failing test, which no other test supports",
  isGrave: true,
};

function listAgainstForm({ proposal }: Judged, limited: boolean): Reservation[] {
  return [
    ...(limited && addsToResult(proposal.file, proposal.base, oneOf(proposal)) ? [addsToEach] : []),
    ...(losesInput(proposal.base, oneOf(proposal)) ? [ignoresInput] : []),
  ];
}

/** Lists objections to forms that only the failing test supports: an entry with a word of this test, or, if few inputs run the line, a comparison with a new literal (`v == 0` becomes `v == 0 || i <= 3`). */
function listGuesses({ proposal }: Judged, agreement: Agreement | undefined): Reservation[] {
  if (proposal.template === testedEntry.name) return [onlyTested];
  if (agreement !== undefined && !isUndecided(agreement)) return [];
  const [literal] = addedLiterals(proposal.base, oneOf(proposal));
  if (literal === undefined) return [];
  const says = `the patch adds a comparison with ${literal}, and too few inputs reach the changed code to confirm this value`;
  return [{ says, isGrave: true }];
}

/** Returns the simpler form of a patch with the same results on all inputs: the tests cannot distinguish the two. */
function simplerOfAlike(
  agreement: Agreement | undefined,
  simpler: ReadonlyMap<Judged, string>,
): string | undefined {
  const [found] = [...simpler].filter(([{ rank }]) => agreement?.alike.includes(rank + 1) === true);
  return found && `${found[1]}, in a patch with the same results on all inputs`;
}

const uncheckedForm: Reservation = {
  says: "no time was left to check whether the tests need the changed condition, statement or number",
  isGrave: true,
};

function passesSimpler(says: string | undefined): Reservation[] {
  return says === undefined ? [] : [{ says: `the tests also pass ${says}`, isGrave: true }];
}

function listAgainst(
  agreement: Agreement | undefined,
  standing: Standing,
  further: readonly Reservation[],
): readonly Reservation[] | undefined {
  const isCompared = agreement !== undefined && agreement.inputs > 0;
  const found = isCompared ? listReservations(agreement, standing) : [];
  const added = further.filter(({ says }) => !found.some((each) => each.says === says));
  return isCompared || added.length > 0 ? [...found, ...added] : undefined;
}

function standingOf(
  best: Judged,
  agreement: Agreement,
  all: readonly Judged[],
  scoreOf: (each: Judged) => number,
): Standing {
  const alike = all.filter((each) => agreement.alike.includes(each.rank + 1));
  const rivals = isUndecided(agreement) ? alike.filter((each) => !isSamePlace(best, each)) : [];
  const same = [best, ...alike.filter((each) => !rivals.includes(each))];
  const sum = (some: readonly Judged[]): number => some.reduce((total, each) => total + scoreOf(each), 0);
  return { standing: sum(same) / (sum(all) || 1), rivals: rivals.length };
}

function isSamePlace({ proposal }: Judged, { proposal: other }: Judged): boolean {
  return proposal.file === other.file && proposal.statementLine === other.statementLine;
}
