/**
 * Reads wrong counts with their right ones from a statement ("sent twice instead of once", "expected 1, got 2"). Finds
 * such a pair in a failed comparison (`assert 2 == 1`). Any text may contain one small number, but a pair is rare.
 * Pure.
 */

/** The wrong count and the right count, in digits. */
export interface StatedCounts {
  readonly wrong: string;
  readonly right: string;
}

const words: Readonly<Record<string, string>> = {
  ...{ no: "0", zero: "0", one: "1", once: "1", single: "1", two: "2", twice: "2", double: "2", three: "3" },
  ...{ four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10" },
};
const count = new RegExp(
  String.raw`(?<![\w.:/#-])(?:-?\d{1,9}(?:\.\d{1,9})?(?![\w:/]|[.-]\d)|(?:${Object.keys(words).join("|")})(?![\w-]))`,
  "gi",
);
const replaces = /\b(?:instead of|rather than)\b|,\s+(?:and |but )?not\b/gi;
const requires = /\b(?:expect(?:s|ed)?|should|must|has to|have to|ought to|want(?:s|ed)?)\b/gi;
const observes =
  /\b(?:but|got|gets|actual(?:ly)?|received|observed|returns|returned|gives|has|shows|prints|lists|contains|is|are|was|were)\b/gi;
/** Maximum characters between a word and its count. */
const farthest = 40;

/** Lists the pairs of counts in the clauses of a statement. */
export function readCounts(statement: string): StatedCounts[] {
  const clauses = statement.split(/\.(?=\s|$)|[;?]|\n\s*\n/);
  return clauses
    .flatMap((clause, at) => pairsIn(clause, clauses[at - 1] ?? ""))
    .filter(({ wrong, right }) => wrong !== right);
}

/**
 * Lists the pairs of counts in a clause. `before`: the previous clause, which may contain the wrong count: "It has 2. I
 * expect 1."
 */
function pairsIn(clause: string, before: string): StatedCounts[] {
  const replaced = [...clause.matchAll(replaces)].flatMap(({ 0: said, index }) =>
    pairOf(
      countsIn(clause.slice(Math.max(0, index - farthest), index)).at(-1),
      after(clause, index + said.length),
    ),
  );
  if (replaced.length > 0) return replaced;
  const required = firstAfter(clause, requires);
  if (required === undefined) return [];
  const observed = firstAfter(clause.replace(required.text, " "), observes) ?? firstAfter(before, observes);
  return pairOf(observed?.count, required.count);
}

function pairOf(wrong: string | undefined, right: string | undefined): StatedCounts[] {
  return wrong === undefined || right === undefined ? [] : [{ wrong, right }];
}

/** Finds the first of the words before a count. Returns the word, and the text from the word to the count. */
function firstAfter(
  clause: string,
  form: RegExp,
): { readonly text: string; readonly count: string } | undefined {
  for (const { 0: said, index } of clause.matchAll(form)) {
    const from = index + said.length;
    const near = clause.slice(from, from + farthest);
    const found = near.matchAll(count).next().value;
    if (found !== undefined)
      return { text: clause.slice(index, from + found.index + found[0].length), count: inDigits(found[0]) };
  }
  return undefined;
}

function after(clause: string, from: number): string | undefined {
  return countsIn(clause.slice(from, from + farthest))[0];
}

function countsIn(text: string): string[] {
  return [...text.matchAll(count)].map(([said]) => inDigits(said));
}

function inDigits(said: string): string {
  return words[said.toLowerCase()] ?? said;
}

/** Maximum lines of a comparison's message, without the explanation after it. */
const mostLines = 8;

/**
 * Returns the stated pair that a failed comparison prints, if it prints no other number. `expected`: the numbers in the
 * test's failing lines. These numbers must include the right count, and not the wrong count. Undefined without such a
 * pair.
 */
export function findCounts(
  stated: readonly StatedCounts[],
  message: string,
  expected: readonly string[],
): StatedCounts | undefined {
  if (stated.length === 0) return undefined;
  const lines = message.split("\n").filter((line) => !/^\s*\+?\s*where /.test(line));
  const printed = new Set(lines.slice(0, mostLines).flatMap((line) => line.match(printedNumber) ?? []));
  if (printed.size !== 2) return undefined;
  return stated.find(
    ({ wrong, right }) =>
      printed.has(wrong) && printed.has(right) && expected.includes(right) && !expected.includes(wrong),
  );
}
const printedNumber = /(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]*\w)/g;
