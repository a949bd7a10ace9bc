/** Reads the failing tests' words as material for repairs: their texts, names and marks. Pure. */
import type { TestFailure } from "../domain/test-outcome.ts";

export interface TestWords {
  /** Contents of the tests' string and regex literals, as written, each once. Omits empty and very long ones. */
  readonly literals: readonly string[];
  /** Texts that the program should produce: the literals, and the values and lines of failure messages. */
  readonly wanted: readonly string[];
  /** Names in the tests, and words of their literals. */
  readonly names: ReadonlySet<string>;
  /** Characters of the literals that are neither letters, digits nor spaces. */
  readonly marks: readonly string[];
}

export const noWords: TestWords = { literals: [], wanted: [], names: new Set(), marks: [] };

/** Maximum numbers of texts and of names: tests with more are tables of data. */
const most = { texts: 200, names: 300 };
/** Maximum length of a text, in characters. */
const longest = 1000;

const quoted = /"((?:\\.|[^"\\\n])*)"|'((?:\\.|[^'\\\n])*)'|`([^`]*)`|(?<=[(,=:] ?)\/((?:\\.|[^/\\\n])+)\//g;
const name = /[A-Za-z_][\w-]*/g;

/** Reads the words and values of the tests. `tests`: the texts of the failing tests. */
export function readTestWords(
  tests: readonly string[],
  failures: readonly Pick<TestFailure, "message">[],
): TestWords {
  const literals = unique(tests.flatMap(literalsIn)).slice(0, most.texts);
  const messages = failures.map(({ message }) => message);
  const said = messages.flatMap((message) => [...literalsIn(message), ...message.split("\n")]);
  return {
    literals,
    wanted: unique([...literals, ...said.map((text) => text.trim())]).slice(0, most.texts),
    names: new Set(unique(tests.flatMap((text) => text.match(name) ?? [])).slice(0, most.names)),
    marks: unique(literals.flatMap((text) => text.match(/[^\w\s]/g) ?? [])),
  };
}

function literalsIn(text: string): string[] {
  return [...text.matchAll(quoted)].map((found) => found.slice(1).find((text) => text !== undefined) ?? "");
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== "" && text.length <= longest))];
}
