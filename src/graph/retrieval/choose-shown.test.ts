import { expect, test } from "vitest";
import { identifierTerms } from "../forms/words.ts";
import { windowOf } from "./choose-shown.ts";

const terms = new Map(identifierTerms("positional_args").words.map((term) => [term, 1]));

/** Two hundred lines, of which the given ones contain a term. */
function piece(...lines: readonly number[]): string[] {
  return Array.from({ length: 200 }, (_, at) => (lines.includes(at + 1) ? "use(args)" : "other(it)"));
}

test("of a long definition, only the lines around the dense part are shown", () => {
  expect(windowOf(piece(30, 32, 33, 36, 120), 1, 200, terms, 90)).toEqual({ startLine: 27, endLine: 39 });
  expect(windowOf(piece(30, 32, 33, 36, 120), 101, 200, terms, 90)).toEqual({ startLine: 117, endLine: 123 });
});

test("a dense part is never longer than allowed, and a short definition is whole", () => {
  const dense = piece(...Array.from({ length: 80 }, (_, at) => 40 + at));
  const { startLine, endLine } = windowOf(dense, 1, 200, terms, 40);
  expect(endLine - startLine + 1).toBeLessThanOrEqual(40);
  expect(windowOf(dense, 10, 49, terms, 40)).toEqual({ startLine: 10, endLine: 49 });
  expect(windowOf(piece(), 1, 200, terms, 40)).toEqual({ startLine: 1, endLine: 40 });
});
