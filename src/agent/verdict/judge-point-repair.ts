/** Judges whether a patch repairs single inputs only: those of its tests. Pure. */
import type { Predicate } from "../../domain/gate.ts";

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
  /** The place in the test's file: parts of a literal have the literal's place. */
  readonly start: number;
  /** The patch adds this value. */
  readonly isAdded: boolean;
  /** False if no time was left for some of the values. */
  readonly isComplete: boolean;
  readonly runs: readonly VariedRun[];
}

export interface PointRepairs {
  /** The literal that the patch treats differently from all other values. */
  readonly point?: VariedLiteral | undefined;
  /** Sentences: how the patch reads the tests' results. */
  readonly objections?: readonly string[];
  /** Sentences: why this was not measured. */
  readonly doubts: readonly string[];
}

/** Fewer results say little: a test may tell only true or false. */
const leastResults = 3;

/** Returns true if the patch gives the base's result for each other value, and if results depend on the value. */
export function isPoint({ runs, isComplete }: VariedLiteral): boolean {
  return isComplete && runs.every(isSame) && countResults(runs) >= leastResults;
}

/**
 * Returns the point. A literal is none if the patch also changes results for some, but not all, values of another
 * literal of the test: then it follows a rule. If the patch does not add the literal's value, those of the other tests
 * count too. Nor is it a point if there was no time to look for a rule.
 */
export function findPoint(literals: readonly VariedLiteral[]): VariedLiteral | undefined {
  const points = literals.filter(isPoint);
  const isPlaceOfPoint = ({ test, start }: VariedLiteral): boolean =>
    points.some((point) => point.test === test && point.start === start);
  const rules = literals.filter((each) => !isPlaceOfPoint(each) && (!each.isComplete || showsRule(each)));
  return points.find(({ test, isAdded }) => !rules.some((rule) => rule.test === test || !isAdded));
}

/** Returns false if base and patch both end with an error, because the value may be invalid. */
export function showsRule({ runs }: Pick<VariedLiteral, "runs">): boolean {
  return runs.some((run) => isSame(run) && run.without.startsWith("v")) && !runs.every(isSame);
}

function isSame({ without, patched }: VariedRun): boolean {
  return without === patched;
}

/** An error is no result, because the value may not be valid. A message that only repeats the value is none either. */
function countResults(runs: readonly VariedRun[]): number {
  const results = runs.flatMap(({ value, without }) =>
    without.startsWith("v") ? [withoutValue(without, value)] : [],
  );
  return new Set(results).size;
}

function withoutValue(text: string, value: string): string {
  const isWord = (sign = ""): boolean => /[\p{L}\p{N}_]/u.test(sign);
  let told = "";
  for (let at = 0; at < text.length; ) {
    const isWhole =
      value !== "" &&
      text.startsWith(value, at) &&
      !(isWord(value[0]) && isWord(text[at - 1])) &&
      !(isWord(value.at(-1)) && isWord(text[at + value.length]));
    told += isWhole ? "□" : (text[at] ?? "");
    at += isWhole ? value.length : 1;
  }
  return told;
}

export function withPoint(given: Predicate, { point, objections = [] }: PointRepairs): Predicate {
  if (given.holds && objections.length > 0) return { ...given, holds: false, evidence: objections.join(" ") };
  if (!given.holds || point === undefined) return given;
  const { test, text, runs } = point;
  return {
    ...given,
    holds: false,
    evidence: `The patch only changes the result for ${text} in ${test}: with each of ${runs.length} other values, the code gives the same results as without the patch (a special case; if it is intended, the statement must say so).`,
  };
}
