/**
 * Finds results that the statement requires of a call ("`fee(7)` returns 10 and has to return 15"). At least one of the
 * tests for such a result must compare with it. A test for "not 10", for an approximate value or for another value lets
 * wrong code pass.
 */
import { readCode } from "../../state/assertion-text.ts";
import type { OwnTest } from "../texts/own-tests.ts";

export interface StatedResult {
  /** The function's own name. */
  readonly name: string;
  /** The call's text in the statement. */
  readonly call: string;
  /** The value: a string without its quotes, or a list's source text. */
  readonly value: string;
  readonly isNumber: boolean;
  readonly isBoolean: boolean;
  /** The elements, if the value is a list. */
  readonly parts?: readonly string[];
}

const text = String.raw`"[^"\n]{1,80}"|'[^'\n]{1,80}'`;
const number = String.raw`-?\d+(?:\.\d+)?(?![\w.]*\w)`;
const value = `\`?(${number}|${text}|\\[(?:\\s*(?:${number}|${text})\\s*,?)+\\]|(?:[Tt]rue|[Ff]alse)\\b)`;
/** The words before a required result, as the source of a pattern. */
export const ordering = String.raw`(?:\b(?:has|have|ought|needs?|is (?:supposed|expected|meant)|is) to|\bshould|\bmust)\s+(?:be|return|give|yield|print|equal|produce|leave|come (?:out|back) as|evaluate to)\s+`;
/** The words between the current and the required result: "returns 10 instead of 15". */
export const replacing = String.raw`\b(?:instead of|rather than)\s+`;
const wanted = new RegExp(`${ordering}${value}|${replacing}${value}`, "i");
/** The words before a result that the statement only shows. For a feature, such a result is required. */
export const showing = String.raw`(?:===?|->|→|=>|returns|gives|yields|is)\s*`;
const shown = new RegExp(`^\`?\\s*${showing}${value}`);
/** The beginning of a line in an issue form, before the required result: "Expected: 15". */
export const ofForm = String.raw`^\W*(?:expected|should be)\b[^:\n]{0,30}:\**\s*`;
const formed = new RegExp(`${ofForm}${value}\\W*$`, "im");
const calls = /([\p{L}_$][\p{L}\p{N}_$]*)\(((?:[^()\n"']|"[^"\n]*"|'[^'\n]*')*)\)/gu;
/** Maximum number of characters between a call and its required result. */
const farthest = 120;

/**
 * Reads calls with their stated results. `isNew`: the statement asks for a feature, so code must give each shown
 * result.
 */
export function readStatedResults(statement: string, isNew = false): StatedResult[] {
  const found = [...statement.matchAll(calls)];
  const stated = found.flatMap(({ 0: call, 1: name = "", index }, at) => {
    const from = index + call.length;
    const to = Math.min(from + farthest, found[at + 1]?.index ?? statement.length);
    const [clause = ""] = statement.slice(from, to).split(/\n\s*\n|(?<=\D)\.(?=\s|$)/);
    const [, one, other] = wanted.exec(clause) ?? (isNew ? shown.exec(clause) : undefined) ?? [];
    return readResult(name, call, one ?? other);
  });
  const [first] = found;
  const isOnly = first !== undefined && found.every(([call]) => call === first[0]);
  return stated.length === 0 && isOnly
    ? readResult(first[1] ?? "", first[0], formed.exec(statement)?.[1])
    : stated;
}

function readResult(name: string, call: string, written: string | undefined): StatedResult[] {
  if (written === undefined) return [];
  const parts = written.startsWith("[") ? readCode(written).values : undefined;
  const isBoolean = /^[tf]/i.test(written);
  const isNumber = /^-?\d/.test(written);
  const own = isNumber || isBoolean || parts !== undefined ? written : written.slice(1, -1);
  return [{ name, call, value: own, isNumber, isBoolean, ...(parts !== undefined && { parts }) }];
}

/**
 * Returns the first stated call that tests make but do not compare with its required result; undefined if there is
 * none.
 */
export function findUnasked(
  stated: readonly StatedResult[],
  tests: readonly OwnTest[],
): StatedResult | undefined {
  return stated.find((result) => {
    const holding = (flags: string): readonly OwnTest[] =>
      tests.filter(({ body, around }) => holdsName(`${around}\n${body}`, result.name, flags));
    const exact = holding("");
    // `fee(7)` in prose is `Fee(7)` in Go.
    const own = exact.length > 0 ? exact : holding("i");
    return own.length > 0 && !own.some((test) => comparesWith(test, result));
  });
}

export function comparesWith({ body, around }: OwnTest, result: StatedResult): boolean {
  const text = `${around}\n${body}`;
  if (result.isBoolean) return text.split("\n").some((line) => asserting.test(line) && asksFor(line, result));
  // Zero and one are also tested without writing a number.
  const isSmall = result.isNumber && Math.abs(Number(result.value)) <= 1;
  if (isSmall && text.split("\n").some((line) => asserting.test(line) && small.test(line))) return true;
  const all = text.split("\n");
  const lines = all.filter((line, at) => hasValue(readCode(line).values, result) && !isLogged(all, at));
  const values = readCode(text).values;
  if (result.parts?.every((part) => values.includes(part)) === false) return false;
  return lines.some((line) => !isLax(line, result)) && !asksAnotherType(values, text, result);
}

/** True if a Go test only prints the difference: `if got != 15 { t.Logf(…) }`. */
function isLogged(lines: readonly string[], at: number): boolean {
  if (!/^\s*if\b.*\{\s*$/.test(lines[at] ?? "")) return false;
  const rest = lines.slice(at + 1);
  const block = rest.slice(
    0,
    Math.max(
      0,
      rest.findIndex((line) => /^\s*\}/.test(line)),
    ),
  );
  return block.length > 0 && block.every((line) => /^\s*(?:t\.Logf?|fmt\.Print\w*)\(/.test(line));
}

/** True for `fee("7")` and `fee(7.0)`, if the statement has `fee(7)`. */
function asksAnotherType(values: readonly string[], text: string, { call }: StatedResult): boolean {
  const numbers =
    call
      .slice(call.indexOf("("))
      .replaceAll(/"[^"]*"|'[^']*'/g, "")
      .match(/(?<![\w.])\d+(?![\w.])/g) ?? [];
  const bare = text.replaceAll(/(["'`])(?:(?!\1)[^\\\n]|\\.)*\1/g, "");
  return numbers.some(
    (number) =>
      !new RegExp(`(?<![\\w.])${number}(?![\\w]|\\.\\d)`).test(bare) &&
      values.some((value) => value !== "" && Number(value) === Number(number)),
  );
}

const asserting = /assert|expect\b|\brequire\.|\bif\b|\bok\b/;
const small =
  /\bnot\b|!(?!=)|\b(?:len|length|size|count)\b|[Ee]mpty|None|[Nn](?:ull|il)|[Zz]ero|[Ff]als|[Tt]ru/;

const negated = /[Ff]als|\bnot\b|!(?!=)|\bif\b|\brefute/;

function asksFor(line: string, { value }: StatedResult): boolean {
  return /^t/i.test(value) ? !/\bNone\b|\bnil\b|\bnull\b/.test(line) : negated.test(line);
}

function hasValue(values: readonly string[], { value, isNumber, parts }: StatedResult): boolean {
  if (parts !== undefined) return parts.some((part) => values.includes(part));
  return values.some((each) => (isNumber ? Number(each) === Math.abs(Number(value)) : each.includes(value)));
}

const tolerance =
  /\b(?:abs|rel|delta|places|rel_tol|abs_tol|rtol|atol)\s*=\s*(\d+(?:\.\d+)?)|[<>]=?\s*(\d+(?:\.\d+)?)\s*[),:;{]?\s*(?:,|$|\))/;
const unequal =
  /^\s*assert\b[^=]*!=|\bassertNotEqual|\bnotEqual|\bnotStrictEqual|\.not\.to|\bassert_ne!|\bassertNotEquals|\bassertGreater|\bassertLess|\btoBe(?:Greater|Less)|^\s*assert\b[^=]*[<>]|\bassert(?:\.ok)?\s*\([^=]*[<>]|\bassert!\s*\([^=]*[<>]|\bassertTrue\s*\([^=]*[<>]/;

/** True if the line checks for something other than the value, or for an approximation of a whole number. */
function isLax(line: string, { value, isNumber }: StatedResult): boolean {
  if (unequal.test(line) && !/\babs\b|\bfabs\b/i.test(line)) return true;
  if (!isNumber || !Number.isInteger(Number(value))) return false;
  const [, given, bound] = tolerance.exec(line) ?? [];
  return (
    (given !== undefined && Number(given) >= 0.5) ||
    (bound !== undefined && /\babs\b/i.test(line) && Number(bound) >= 0.5)
  );
}

function holdsName(text: string, name: string, flags: string): boolean {
  return new RegExp(`(?<![\\w$])${name.replaceAll("$", String.raw`\$`)}(?![\\w$])`, flags).test(text);
}
