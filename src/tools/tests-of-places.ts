/** Finds tests of given places. Each test has its location, and the names of the places that it mentions. */
import type { Searcher } from "../graph/retrieval/find.ts";
import { findRelatedTests, type RelatedTest, type TestQuery } from "../graph/retrieval/related-tests.ts";
import { pathOfPiece } from "../graph/retrieval/search-index.ts";

export interface PlacedTest {
  readonly path: string;
  readonly kind: string;
  /** The test's qualified name; "" for a file that is a test script. */
  readonly qualified: string;
  readonly signature: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly names: readonly string[];
  readonly score: number;
}

/** Matches lists and data of tests. They name the tested code, but test nothing. */
const noProgram = /\.(?:txt|cmake|json|ya?ml|toml|xml|csv|html?|ini|cfg|am|in|lock)$/;

/** Finds the tests of the places, each once. Tests that mention a name of a place come first. */
export function testsOfPlaces(searcher: Searcher, places: readonly TestQuery[], limit: number): PlacedTest[] {
  const best = new Map<number, PlacedTest>();
  for (const place of places) {
    for (const test of findRelatedTests(searcher, place, limit)) {
      if (noProgram.test(pathOfPiece(searcher.index, test.piece))) continue;
      if ((best.get(test.piece)?.score ?? -1) < test.score) best.set(test.piece, placeTest(searcher, test));
    }
  }
  const isNamed = ({ names }: PlacedTest): number => Math.sign(names.length);
  return [...best.values()].sort((a, b) => isNamed(b) - isNamed(a) || b.score - a.score).slice(0, limit);
}

function placeTest({ index }: Searcher, { piece, names, score }: RelatedTest): PlacedTest {
  const { kind, qualified, signature, startLine, endLine } = index.piece(piece);
  return { path: pathOfPiece(index, piece), kind, qualified, signature, startLine, endLine, names, score };
}

/** Renders the tests as lines, grouped by file. */
export function testLines(tests: readonly PlacedTest[]): string[] {
  return [...Map.groupBy(tests, ({ path }) => path)].flatMap(([path, own]) => [
    path,
    ...own.map(({ startLine, endLine, qualified, names }) => {
      const why = names.length === 0 ? "" : `  (names ${names.slice(0, mostNames).join(", ")})`;
      return `  ${startLine}-${endLine}  ${qualified || "the file"}${why}`;
    }),
  ]);
}

const mostNames = 4;

/** In a text, finds up to 40 names that tests may mention, such as `parseDate` or `find_all`. Omits plain words. */
export function namesIn(text: string): string[] {
  // Words first: one pattern for both takes minutes for a word of 100,000 letters.
  const words = new Set(text.match(/[A-Za-z_]\w*/g));
  return [...words].filter((word) => /(?<!^)(?:[a-z][A-Z]|_)\w/.test(word)).slice(0, 40);
}

/**
 * Finds up to 40 names that a text writes as code: those of `namesIn`, and the words of at least four letters in a
 * short code span (`testpaths`, `cart.total()`).
 */
export function codeNamesIn(text: string): string[] {
  const spans = codeSpansIn(text).flatMap((code) =>
    code.split(/[^\w$]+/).length <= 3 ? (code.match(/[A-Za-z_$][\w$]{3,}/g) ?? []) : [],
  );
  return [...new Set([...namesIn(text), ...spans])].slice(0, 40);
}

/** Returns the short code spans of a text (text between backticks). */
export function codeSpansIn(text: string): string[] {
  return [...text.matchAll(/`([^`\n]{1,80})`/g)].map(([, code = ""]) => code);
}
