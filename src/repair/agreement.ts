/**
 * Compares plausible patches by their behaviour on inputs beyond the tests, because the tests cannot distinguish them.
 * This is differential testing as in DiffTGen (Xin and Reiss, ISSTA 2017). The behaviour of the base in passing tests
 * should stay, as in PATCH-SIM (Xiong et al., ICSE 2018). Wrong patches often differ from each other, while correct
 * ones agree.
 */
import { countOf } from "../base/count.ts";
import type { Comparison } from "../languages/contract.ts";

export interface Agreement {
  /** Number of compared inputs. */
  readonly inputs: number;
  /** Number of compared inputs without repeats; if absent, no input repeats. */
  readonly distinct?: number | undefined;
  /** Number of other compared patches, and the ids of those that agree with this patch on all inputs. */
  readonly others: number;
  readonly alike: readonly number[];
  /** Over the inputs on which patches differ: the mean share of other patches that agree; 1 if none differ. */
  readonly share: number;
  /** Number of trusted inputs, on which the base is probably right, and number of those on which the patch agrees. */
  readonly trusted: number;
  readonly kept: number;
  /** Number of trusted inputs from passing tests, and of those on which the patch agrees with the base. */
  readonly passing: number;
  readonly passingKept: number;
  /** Number of passing tests with a varied literal, and of those with the same result for patch and base. */
  readonly near: number;
  readonly nearKept: number;
  /** Number of inputs beyond the tests on which the patch adds one constant to the base's result, or 0. */
  readonly shifted: number;
  /** Number of inputs on which the patch hangs or ends the process, and the base does not. */
  readonly broken: number;
}

/** The result of a candidate on inputs of a comparison that omits this candidate. Occurs in joined comparisons. */
export const notCompared = "?";

/**
 * Weighs candidates by their agreement with each other and the base. Leaves out candidates that could not be compared.
 * Empty if the comparison lacks the base or has no input.
 */
export function weighAgreement(comparison: Comparison): ReadonlyMap<number, Agreement> {
  const { origins, behaviours, isRepeat = [] } = comparison;
  const base = behaviours.get(0);
  if (base === undefined || origins.length === 0) return new Map();
  const patches = [...behaviours].filter(([id]) => id !== 0);
  const trusted = listTrusted(comparison, base);
  const near = placesOf(origins, "near");
  const passing = placesOf(origins, "passing");
  const valued = placesOf(origins, "derived").filter((at) => isValue(base, at));
  return new Map(
    patches.map(([id, own]) => {
      const isCompared = (at: number): boolean => own[at] !== notCompared;
      const inputs = origins.map((_, at) => at).filter(isCompared);
      const keeps = (at: number): boolean => did(own, at) === did(base, at);
      const others = patches.filter(([other]) => other !== id);
      const alike = others.filter(([, other]) => inputs.every((at) => isSame(own, other, at)));
      const shares = inputs.flatMap((at) => {
        const seen = others.filter(([, other]) => other[at] !== notCompared);
        const same = seen.filter(([, other]) => isSame(own, other, at));
        return same.length === seen.length ? [] : same.length / seen.length;
      });
      const compared = (places: readonly number[]): number => places.filter(isCompared).length;
      const kept = (places: readonly number[]): number =>
        places.filter((at) => isCompared(at) && keeps(at)).length;
      const isBroken = (at: number): boolean => isFatal(did(own, at)) && !isFatal(did(base, at));
      return [
        id,
        {
          inputs: inputs.length,
          distinct: inputs.filter((at) => isRepeat[at] !== true).length,
          others: others.length,
          alike: alike.map(([other]) => other),
          share: shares.length === 0 ? 1 : mean(shares),
          trusted: compared(trusted),
          kept: kept(trusted),
          passing: compared(passing),
          passingKept: kept(passing),
          near: compared(near),
          nearKept: kept(near),
          shifted: countShifted(base, own, valued.filter(isCompared)),
          broken: inputs.filter(isBroken).length,
        },
      ];
    }),
  );
}

function placesOf(origins: Comparison["origins"], wanted: Comparison["origins"][number]): readonly number[] {
  return origins.flatMap((origin, at) => (origin === wanted ? at : []));
}

function did(behaviour: readonly string[], at: number): string {
  return behaviour[at] ?? "crash";
}

function isSame(one: readonly string[], other: readonly string[], at: number): boolean {
  return did(one, at) === did(other, at) || other[at] === notCompared;
}

/**
 * Inputs on which the base is probably right: those of passing tests. If the fault is an exception or an endless loop,
 * also derived inputs with a value on the base.
 */
function listTrusted({ origins }: Comparison, base: readonly string[]): number[] {
  const loud = origins.some((origin, at) => origin === "failing" && !isValue(base, at));
  return origins.flatMap((origin, at) =>
    origin === "passing" || (loud && origin === "derived" && isValue(base, at)) ? at : [],
  );
}

function isValue(base: readonly string[], at: number): boolean {
  return base[at]?.startsWith("v") ?? false;
}

/**
 * Counts the results that differ from the base's by the same number. Zero if any result differs in another way. Ignores
 * equal results that are not numbers, such as that of a division by zero.
 */
function countShifted(base: readonly string[], own: readonly string[], places: readonly number[]): number {
  const said = places.filter((at) => !Number.isNaN(numberIn(base[at])) || base[at] !== own[at]);
  const [first, ...others] = said.map((at) => numberIn(own[at]) - numberIn(base[at]));
  const isShifted =
    first !== undefined && Math.abs(first) > 0 && others.every((each) => Math.abs(each - first) < 1e-9);
  return isShifted ? said.length : 0;
}

/** The number in a result such as Python's `v0123456789ab=7` or JavaScript's `v7 [ 3 ]`; NaN for any other result. */
function numberIn(behaviour = ""): number {
  const [, number] = /^v(?:[0-9a-f]{12}=)?(-?\d+(?:\.\d+)?(?:e[+-]\d+)?)(?:$| )/.exec(behaviour) ?? [];
  return number === undefined ? Number.NaN : Number(number);
}

function isFatal(behaviour: string): boolean {
  return behaviour === "hang" || behaviour === "crash";
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * Returns a factor from 0 to 1 for the score of a patch's form. The share of patches that agree (`share`) counts least.
 * Patches that remove a computation also agree with each other, and are the majority if tests are weak.
 */
export function factorOf({ share, trusted, kept, near, nearKept, inputs, broken }: Agreement): number {
  const keeping = trusted === 0 ? 1 : kept / trusted;
  const keepingNear = near === 0 ? 1 : nearKept / near;
  const standing = 1 - Math.min(1, (10 * broken) / Math.max(1, inputs));
  return (0.6 + 0.4 * share) * (0.2 + 0.8 * keeping) * (0.5 + 0.5 * keepingNear) * (0.2 + 0.8 * standing);
}

/** Minimum number of different inputs that say enough about two patches. */
const enoughInputs = 20;
/**
 * Maximum share of passing tests with a varied literal whose result may change. A correct repair leaves most unchanged.
 */
const mostOfNear = 0.25;

/** Minimum `standing`. Below it, the patches with other behaviour are together likelier. */
const leastStanding = 0.5;

/** Minimum `standing` if too few inputs could distinguish the patch from patches at other places. */
const leastUndecided = 0.75;

/** True if the comparison used too few different inputs to show that two patches behave the same. */
export function isUndecided({ inputs, distinct = inputs }: Pick<Agreement, "inputs" | "distinct">): boolean {
  return distinct < enoughInputs;
}

/** Evidence against a patch, from a comparison. `isGrave`: correct repairs rarely show it. */
export interface Reservation {
  readonly says: string;
  readonly isGrave: boolean;
}

/** Words by which a statement says that the fault shows under a condition, so that other inputs have right results. */
const condition =
  /\b(?:where|when(?:ever)?|if|unless|except|only|sometimes|some|last|rest|remainder|too (?:low|high|large|small) for)\b/i;

export function isConditional(statement: string): boolean {
  return condition.test(statement);
}

/**
 * True if the patch adds the same number to all results although the statement limits the fault, and no passing test
 * calls the changed code. `limited`: true if the statement names a condition for the fault, so that results without
 * this condition are right.
 */
export function addsToAll({ trusted, near, shifted }: Agreement, limited: boolean): boolean {
  return limited && trusted + near === 0 && shifted >= enoughInputs;
}

/**
 * The objection to a number added to each result. Example: `pages` is wrong if the last page is not full, but `(items +
 * size) // size` adds one to each result.
 */
export const addsToEach: Reservation = {
  says: "the patch adds the same number to every result, although the statement names a condition for the fault",
  isGrave: true,
};

/** The objection to an expression that ignores its input, such as `1**attempt` in place of `2**attempt`. */
export const ignoresInput: Reservation = {
  says: "the result no longer depends on the input",
  isGrave: true,
};

export interface Standing {
  /**
   * The share of all plausible patches' scores that belongs to patches with the same behaviour, including this one:
   * 0..1.
   */
  readonly standing?: number;
  /** True if the statement names a condition for the fault. */
  readonly limited?: boolean;
  /** Number of plausible patches at other places that too few inputs distinguish from this one. */
  readonly rivals?: number;
}

export function listReservations(
  agreement: Agreement,
  { standing = 1, limited = false, rivals = 0 }: Standing = {},
): Reservation[] {
  const { others, alike, trusted, kept, passing, passingKept, near, nearKept, broken } = agreement;
  const found: (Reservation | false)[] = [
    broken > 0 && { says: "the patch hangs or crashes where the base does not", isGrave: true },
    passingKept < passing && { says: "the patch changes results of passing tests", isGrave: true },
    // If the fault is an error, wrong values of the base may come from the same fault: a generator that nobody has read
    // yet.
    passingKept === passing &&
      kept < trusted && { says: "the patch changes values where the base gave no error", isGrave: false },
    near - nearKept > mostOfNear * near && {
      says: "the patch changes results on inputs near those of passing tests",
      isGrave: true,
    },
    addsToAll(agreement, limited) && addsToEach,
    4 * alike.length < 3 * others && {
      says: "other patches that pass every test behave differently",
      isGrave: standing < leastStanding,
    },
    rivals > 0 && {
      says: "patches at other places pass every test too, and too few inputs run the changed code to distinguish them",
      isGrave: standing < leastUndecided,
    },
    isUndecided(agreement) && { says: "there are few different inputs", isGrave: false },
    // Then only the failing test supports the patch.
    trusted + near === 0 && {
      says: "no passing test calls the changed code",
      isGrave: isUndecided(agreement),
    },
  ];
  return found.filter((each) => each !== false);
}

/** Describes the evidence for and against the patch, for people. */
export function describeAgreement(agreement: Agreement, standing: Standing = {}): string {
  const { inputs, others, alike, trusted, kept, near, nearKept, broken } = agreement;
  const same = alike.length;
  const does = others === 1 && same === 0 ? "does not do the same as" : "does the same as";
  const patches = others === 1 ? "the other plausible patch" : `${same} of ${others} other plausible patches`;
  const clauses = [
    others > 0 && `${does} ${patches}`,
    trusted > 0 &&
      `agrees with the base on ${kept} of ${countOf(trusted, "input")} on which the base is trusted`,
    near > 0 &&
      `agrees with the base in ${nearKept} of ${countOf(near, "passing test")} with a changed literal`,
    broken > 0 && `hangs or crashes on ${countOf(broken, "input")}`,
  ].filter((clause) => clause !== false);
  const against = listReservations(agreement, standing).map(({ says }) => says);
  const verdict =
    against.length === 0 ? "No result counts against it." : `Against it: ${against.join(", ")}.`;
  return clauses.length === 0
    ? `Millwright ran the patch on ${countOf(inputs, "input")}. ${verdict}`
    : `Compared on ${countOf(inputs, "input")}, the patch ${clauses.join("; it ")}. ${verdict}`;
}
