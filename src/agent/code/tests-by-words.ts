/** Ranks tests by the words that they share with a statement. Pure. */
import { wordsOf } from "../state/statement-signature.ts";

/** The tests with the most words of the statement come first; equal ones keep their order. */
export function sortByWords<T>(
  tests: readonly T[],
  textOf: (test: T) => string,
  statement: string,
): readonly T[] {
  const wanted = new Set(wordsOf(statement));
  const rated = tests.map((test) => ({
    test,
    shared: new Set(wordsOf(textOf(test)).filter((word) => wanted.has(word))).size,
  }));
  return rated.toSorted((one, other) => other.shared - one.shared).map(({ test }) => test);
}

interface TestSpan {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Leaves out groups of tests of which a test is listed too: a group has more words because it is longer. */
export function withoutGroups<T extends TestSpan>(tests: readonly T[]): readonly T[] {
  const isInside = (one: T, other: T): boolean =>
    one !== other &&
    one.path === other.path &&
    other.startLine <= one.startLine &&
    one.endLine <= other.endLine;
  return tests.filter((group) => !tests.some((test) => isInside(test, group)));
}
