/**
 * Scores statements and functions by the words that they share with the failing tests, their messages and the user's
 * statement.
 */
import { formatTestKey, type TestOutcome } from "../domain/test-outcome.ts";
import type { PlacedFunction, ProgramMap } from "./program-map.ts";
import { addTerms, countTerms, scoreTexts } from "./terms.ts";
import type { TestText } from "./test-text.ts";

export interface TextScores {
  /** The score of each statement by the statement's own words, from 0 to 1. */
  readonly statements: readonly number[];
  /** The score of each function by the words of its name, its file's name and its statements, from 0 to 1. */
  readonly functions: ReadonlyMap<PlacedFunction, number>;
}

export interface TextInput {
  readonly failing: readonly TestOutcome[];
  readonly tests: ReadonlyMap<string, TestText>;
  readonly texts: ReadonlyMap<string, string>;
  readonly statement: string;
}

/** Maximum number of tests whose words count. Further tests repeat these words. */
const mostTests = 40;
/** A term in a function's name counts like this many in its body. */
const nameWeight = 3;

export function scoreText(program: ProgramMap, input: TextInput): TextScores {
  const query = makeQuery(input);
  const lines = new Map([...input.texts].map(([file, text]) => [file, text.split("\n")]));
  const functions = new Map<PlacedFunction, Map<string, number>>();
  const statements = program.statements.map(({ file, statement, function: around }) => {
    const own = statement.ownLines.map((line) => lines.get(file)?.[line - 1] ?? "").join("\n");
    const terms = countTerms(own);
    const whole = functions.get(around) ?? nameTerms(around);
    for (const [term, count] of terms) whole.set(term, (whole.get(term) ?? 0) + count);
    functions.set(around, whole);
    return terms;
  });
  const places = [...functions.keys()];
  const scores = scoreTexts([...functions.values()], query);
  return {
    statements: scoreTexts(statements, query),
    functions: new Map(places.map((place, index) => [place, scores[index] ?? 0])),
  };
}

function makeQuery({ failing, tests, statement }: TextInput): Map<string, number> {
  const query = new Map<string, number>();
  const some = failing.slice(0, mostTests);
  for (const { key, failure } of some) {
    const text = tests.get(formatTestKey(key));
    addTerms(query, key.name, 1 / some.length);
    addTerms(query, text?.body ?? "", 1 / some.length);
    addTerms(query, text?.failingLines ?? "", 1 / some.length);
    addTerms(query, (failure?.message ?? "").slice(0, 2000), 0.5 / some.length);
  }
  addTerms(query, statement, 1);
  return query;
}

function nameTerms({ file, name }: PlacedFunction): Map<string, number> {
  const terms = countTerms(file.slice(file.lastIndexOf("/") + 1).replace(/\.\w+$/, ""));
  for (const [term, count] of countTerms(name ?? ""))
    terms.set(term, (terms.get(term) ?? 0) + nameWeight * count);
  return terms;
}
