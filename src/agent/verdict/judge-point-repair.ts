/** Judges whether a patch repairs only single inputs: those of its tests. Pure. */
import type { Predicate } from "../../domain/gate.ts";
import type { ClassKind } from "./class-variations.ts";

/** A deciding test with another literal, run without and with the patch. */
export interface VariedRun {
  /** The other value at the literal's place, without quotes. */
  readonly value: string;
  /** The result that the test reports; see `describeOutcome`. */
  readonly without: string;
  readonly patched: string;
}

/** A literal of a deciding test, or a part of it, and the runs with other values at its place. */
export interface VariedLiteral {
  readonly test: string;
  readonly text: string;
  /** The literal's place in the test's file, also for a part of the literal. */
  readonly start: number;
  /** True if the patch adds this value. */
  readonly isAdded: boolean;
  /** The form of the other values: any, or other members of the literal's class. */
  readonly kind: "value" | ClassKind;
  /** False if no time was left for some of the values. */
  readonly isComplete: boolean;
  readonly runs: readonly VariedRun[];
}

export interface PointRepairs {
  /** The literal that the patch treats differently from all other values. */
  readonly point?: VariedLiteral | undefined;
  /**
   * Sentences about results that the patch reads, side effects, and tests that pass only with the tested order of a
   * list.
   */
  readonly objections?: readonly string[];
  /** The doubts, each as the end of a sentence that begins with "the patch". */
  readonly doubts: readonly string[];
}

/** Minimum number of different results. Fewer say little, because a test may report only true or false. */
const leastResults = 3;
/** Minimum number of inputs on which the base fails as in the test. */
const leastFaults = 2;

/**
 * Returns true if the patch gives the base's result for each other value, and if results depend on the value. For
 * units, this result is the fault.
 */
export function isPoint({ runs, isComplete, kind }: VariedLiteral): boolean {
  if (!isComplete || !runs.every(isSame)) return false;
  if (kind === "fault")
    return runs.length >= leastFaults && runs.every(({ without }) => without.startsWith("e"));
  return countResults(runs, kind) >= leastResults;
}

/**
 * Returns the literal that the patch treats as a point. A literal is not a point if the patch follows a rule. Such a
 * patch changes results for some values of another literal, but not for all. Counts literals of other tests only if the
 * patch does not add the literal's value. Without time to look for a rule, only a literal with other values of its
 * class is a point. Undefined if no literal is a point.
 */
export function findPoint(literals: readonly VariedLiteral[]): VariedLiteral | undefined {
  const points = literals.filter(isPoint);
  const isPlaceOfPoint = ({ test, start }: VariedLiteral): boolean =>
    points.some((point) => point.test === test && point.start === start);
  const others = literals.filter((each) => !isPlaceOfPoint(each));
  const isRule = (each: VariedLiteral, { kind }: VariedLiteral): boolean =>
    showsRule(each) || (kind === "value" && !each.isComplete);
  return points.find(
    (point) => !others.some((each) => isRule(each, point) && (each.test === point.test || !point.isAdded)),
  );
}

/**
 * True if the patch changes the result for some values, but not for all. A value for which base and patch end with the
 * same error does not count as unchanged, because it may be invalid.
 */
export function showsRule({ runs }: Pick<VariedLiteral, "runs">): boolean {
  return runs.some((run) => isSame(run) && run.without.startsWith("v")) && !runs.every(isSame);
}

function isSame({ without, patched }: VariedRun): boolean {
  return without === patched;
}

/**
 * Counts the different results. An error does not count, because the value may be invalid. A message that only repeats
 * the value does not count either. For a class, ignores repetitions only in the arguments of a call, because the base
 * may return its input.
 */
function countResults(runs: readonly VariedRun[], kind: VariedLiteral["kind"]): number {
  const results = runs.flatMap(({ value, without }) =>
    without.startsWith("v") ? [withoutValue(without, value, kind === "value")] : [],
  );
  return new Set(results).size;
}

function withoutValue(text: string, value: string, isAnywhere: boolean): string {
  const isWord = (sign = ""): boolean => /[\p{L}\p{N}_]/u.test(sign);
  let told = "";
  let open = 0;
  for (let at = 0; at < text.length; ) {
    const isWhole =
      value !== "" &&
      (isAnywhere || open > 0) &&
      text.startsWith(value, at) &&
      !(isWord(value[0]) && isWord(text[at - 1])) &&
      !(isWord(value.at(-1)) && isWord(text[at + value.length]));
    if (text[at] === "(") open += 1;
    if (text[at] === ")") open -= 1;
    told += isWhole ? "□" : (text[at] ?? "");
    at += isWhole ? value.length : 1;
  }
  return told;
}

export function withPoint(given: Predicate, { point, objections = [] }: PointRepairs): Predicate {
  if (given.holds && objections.length > 0) return { ...given, holds: false, evidence: objections.join(" ") };
  if (!given.holds || point === undefined) return given;
  const { test, text, runs, kind } = point;
  const told = {
    value: `The patch changes the result only for ${text} in ${test}: with each of ${runs.length} other values`,
    ...tellClass(text, test),
  }[kind];
  return {
    ...given,
    holds: false,
    evidence: `${told}, the code gives the same results as without the patch (a special case; if it is intended, the statement must say so).`,
  };
}

function tellClass(text: string, test: string): Record<ClassKind, string> {
  return {
    class: `The patch handles only the signs of ${text} in ${test}: with other signs of the same kind`,
    tag: `The patch handles only the tags of ${text} in ${test}: with other tags`,
    fault: `The patch handles only the units of ${text} in ${test}: with other units that the code knows`,
    type: `The patch handles only whole numbers, such as ${text} in ${test}: with fractions`,
  };
}

/**
 * Returns a doubt, as a clause about the patch: the statement may ask for only this part of a class. Empty for a
 * literal with any other values.
 */
export function doubtClass({ text, kind }: Pick<VariedLiteral, "text" | "kind">): string[] {
  if (kind === "value") return [];
  const others = {
    class: "other signs of the same kind",
    tag: "other tags",
    fault: "other units",
    type: "fractions",
  }[kind];
  return [
    `handles only inputs such as ${text}: with ${others}, the tests give the same results with and without the patch`,
  ];
}
