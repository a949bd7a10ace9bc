/**
 * Decides by rule if an existing test asserts a result that the statement calls wrong. Reads the texts of the test and
 * the statement, and the base's result of a test of the fault. The rule is strict. The statement must contain the
 * assertion's call, inputs and expectation. A test that fails without the patch must check the same inputs for another
 * result. Pure.
 */
import { literally } from "../../base/literal-pattern.ts";
import { readCode } from "./assertion-text.ts";
import { findDemandedError } from "./demands-error.ts";

export interface Asserting {
  /** The asserting statement, without documentation marks. */
  readonly line: string;
  /** The lines that compute the compared values. */
  readonly behind: string;
  /** The test's failure. For a test of the base: with the patch. For a test of the fault: without the patch. */
  readonly failure: string;
}

export interface SaysWrong {
  readonly holds: boolean;
  /** The evidence, as a clause. */
  readonly evidence: string;
  /** True if the test fails with an error that the statement demands. Its later lines then cannot run. */
  readonly isByError?: true;
}

/**
 * Says whether the assertion asserts the reported fault, and by which evidence. `isProduct`: true for names that the
 * code under test defines.
 */
export function assertsFault(
  statement: string,
  test: Asserting,
  showing: readonly Asserting[],
  isProduct: (name: string) => boolean,
): SaysWrong {
  const no = (evidence: string): SaysWrong => ({ holds: false, evidence });
  const demanded = findDemandedError(
    { clauses: clauses(statement), has: (value) => hasInput(statement, value) },
    test,
    showing,
    isProduct,
  );
  if (demanded !== undefined)
    return {
      holds: true,
      isByError: true,
      evidence: `the test expects a result of \`${demanded.call}\`: the statement demands "${demanded.error}" instead, and a test of the fault makes the same call`,
    };
  const own = readAsserted(test);
  const called = own.called.filter((name) => isProduct(name) && namesCall(statement, name));
  if (called.length === 0) return no("the statement names no call of the test");
  const missing = own.values.filter((value) => !holdsWord(withSpaces(statement), withSpaces(value)));
  if (missing.length > 0) return no(`the statement does not contain ${list(missing)}`);
  for (const each of showing) {
    const other = readAsserted(each);
    if (!called.some((name) => other.called.includes(name))) continue;
    const wrong = own.values.filter(
      (value) =>
        holdsWord(each.failure, value) && !readAsserted({ ...each, behind: "" }).values.includes(value),
    );
    const found = wrong.find((value) =>
      own.values.every((input) => input === value || other.values.includes(input)),
    );
    if (found === undefined) continue;
    const praising = clauses(statement).find((clause) => holdsWord(clause, found) && praise.test(clause));
    if (praising !== undefined)
      return no(`a clause of the statement seems to call the result correct: "${praising.trim()}"`);
    return {
      holds: true,
      evidence: `the test expects "${found}" from ${called[0]}: the statement reports this result, and the base gives it`,
    };
  }
  return no("no test of the fault expects another result for the same inputs");
}

/** Matches the expectation in a doctest's failure. The asserting line does not contain it. */
const expectedOfExample = /^expected (.+), got /s;

function readAsserted({ line, behind, failure }: Asserting): {
  readonly called: readonly string[];
  readonly values: readonly string[];
} {
  const { called, plain, values } = readCode(`${line}\n${behind}`);
  const [, expected = ""] = line.startsWith(">>>") ? (expectedOfExample.exec(failure) ?? []) : [];
  const errors = [...called, ...plain].filter((name) => ofError.test(name));
  return { called, values: [...new Set([...values, ...errors, ...readCode(expected).values])] };
}

/** Names of error classes and the like. Such a class may be the expected result. */
const ofError = /^[A-Z]\w*(?:Error|Exception|Panic)$/;

/** Words with which the statement calls something correct. */
const praise =
  /\b(?:(?:is|are|was|were) (?:right|correct|fine|ok(?:ay)?)\b|correctly\b|rightly\b|as (?:expected|it should)\b|works?\b|unchanged\b|(?:should|must|has to|have to|is to|are to) (?:stay|remain|keep|still)\b)/i;

function clauses(text: string): string[] {
  return text.split(/[;\n]|[.!?](?=\s|$)|,\s+(?:but|while|whereas|and)\s/);
}

/** True if the text names the call, also as a member: `axios.get` names `get`. */
function namesCall(text: string, name: string): boolean {
  return new RegExp(`(?<!\\w)${literally(name)}(?!\\w)`, "i").test(text);
}

/** True if the text contains the input. It contains an empty text if it quotes one, or calls an input empty. */
function hasInput(text: string, value: string): boolean {
  return value.trim() === "" ? /''|""|\bempty\b/i.test(text) : holdsWord(text, value);
}

/** True if the text contains the term as a separate word or number, case-insensitive. */
function holdsWord(text: string, term: string): boolean {
  const escaped = literally(term.trim());
  return escaped !== "" && new RegExp(`(?<![\\w.])${escaped}(?![\\w]|\\.\\d)`, "i").test(text);
}

/** Replaces each run of white space by one blank, including escaped line breaks in source text. */
function withSpaces(text: string): string {
  return text.replaceAll(/(?:\s|\\[nrt])+/g, " ");
}

/** Maximum characters of a listed value. */
const longestValue = 60;

function list(values: readonly string[]): string {
  const written = values.map((value) => withSpaces(value).trim()).filter((value) => value !== "");
  if (written.length === 0) return "an empty text";
  return written
    .slice(0, 3)
    .map((value) => `"${value.length > longestValue ? `${value.slice(0, longestValue)}…` : value}"`)
    .join(", ");
}
