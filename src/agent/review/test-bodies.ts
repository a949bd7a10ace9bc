/** Where a file's tests stand, by its outline, in every language that has one. */
import type { TestKey } from "../../domain/test-outcome.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

export interface TestBody {
  /** The function's own name, or the text that the test is called. */
  readonly name: string;
  /** Of the groups or classes around it, outermost first, and its own. */
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Tests of the file, groups left out; none where its language has no outline. */
export async function listTestBodies(path: string, text: string | undefined): Promise<TestBody[]> {
  const symbols = text === undefined ? undefined : await extractSymbols(path, text);
  const definitions = symbols?.definitions ?? [];
  const pathOf = (at: number): string => {
    const definition = definitions[at];
    if (definition === undefined) return "";
    const around = pathOf(definition.container);
    return around === "" ? definition.name : `${around} ${definition.name}`;
  };
  const holds = (index: number): boolean =>
    definitions.some(({ container, isTest, kind }) => container === index && (isTest || kind === "test"));
  return definitions.flatMap(({ name, kind, isTest, startLine, endLine }, index) =>
    (isTest === true || kind === "test") && !holds(index)
      ? [{ name, path: pathOf(index), startLine, endLine }]
      : [],
  );
}

/** The bodies that a test's key speaks of: those whose own name its name has as a part. */
export function bodiesOf(bodies: readonly TestBody[], { name }: TestKey): TestBody[] {
  return bodies.filter(
    (body) => name.split(/::|[.#>/ ]+|\[.*$/).includes(body.name) || name.endsWith(body.name),
  );
}
