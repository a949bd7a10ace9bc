/** Ranks tests by the words that they share with a statement. Pure. */
import { wordsOf } from "../state/statement-signature.ts";

/** Puts tests with the most words of the statement first. Ties keep their order. */
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

/** Omits a group if the list contains one of its tests. A group has more matching words only because it is longer. */
export function withoutGroups<T extends TestSpan>(tests: readonly T[]): readonly T[] {
  const isInside = (one: T, other: T): boolean =>
    one !== other &&
    one.path === other.path &&
    other.startLine <= one.startLine &&
    one.endLine <= other.endLine;
  return tests.filter((group) => !tests.some((test) => isInside(test, group)));
}

/**
 * Folders of test data, examples, benchmarks, documentation and foreign code. Their tests may fail, or not run at all.
 */
const beside =
  /(?:^|\/)(?:node_modules|vendor|third_party|testdata|fixtures?|(?:examples?|samples?)(?:[_-]\w+)?|docs?|website|(?:\w+[_-])?bench(?:es|marks?)?|_*snapshots?_*)\//;

/** True for a file in a folder of examples, benchmarks, snapshots, test data, documentation or foreign code. */
export function isBesideTests(path: string): boolean {
  return beside.test(path);
}

/** Puts files of such folders (`isBesideTests`) last; otherwise keeps the order. */
export function putLast<T>(items: readonly T[], pathOf: (item: T) => string): T[] {
  const isBeside = (item: T): boolean => isBesideTests(pathOf(item));
  return [...items.filter((item) => !isBeside(item)), ...items.filter(isBeside)];
}
