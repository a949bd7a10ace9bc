/**
 * Finds the tests of one place: tests that mention a name of the place; if there are none, tests of its callers. Also
 * finds test files that import the place's file.
 */
import type { CodeGraph } from "../graph/contract.ts";
import type { OpenSearcher } from "../graph/retrieval/open-searcher.ts";
import { findTestsThroughCallers } from "../graph/retrieval/tests-through-callers.ts";
import { isTestFile } from "../languages/source-files.ts";
import { namesIn, type PlacedTest, testsOfPlaces } from "./tests-of-places.ts";

export interface TestsOfPlace {
  /** Tests of the place. Tests that only belong to the place's file have no names. */
  readonly tests: readonly PlacedTest[];
  /** Tests of the place's callers, with the callers' names. */
  readonly through: readonly PlacedTest[];
  /** Further test files, which import the place's file. */
  readonly importing: readonly string[];
}

export function findTestsOf(
  searcher: OpenSearcher,
  graph: CodeGraph,
  { path, line }: { readonly path: string; readonly line?: number | undefined },
  limit: number,
): TestsOfPlace {
  const near =
    line === undefined ? [] : (searcher.linesOf(path) ?? []).slice(Math.max(0, line - 4), line + 3);
  const place = line === undefined ? { path } : { path, line };
  const tests = testsOfPlaces(searcher, [{ ...place, words: namesIn(near.join("\n")) }], limit);
  const at = line === undefined ? undefined : graph.entityAt(path, line);
  const isNamed = ({ names }: PlacedTest): boolean =>
    at === undefined || at.kind === "file" ? names.length > 0 : names.includes(at.name);
  const through = tests.some(isNamed)
    ? []
    : findTestsThroughCallers(graph, place, limit).map(({ test, through: name, score }) => {
        const { path: file, kind, qualified, signature, startLine, endLine } = test;
        return { path: file, kind, qualified, signature, startLine, endLine, names: [name], score };
      });
  const importing = filesThatImport(graph, path).filter((each) => !tests.some((test) => test.path === each));
  return { tests, through, importing };
}

/** Maximum number of a file's definitions whose importers Millwright searches. */
const mostDefinitions = 60;

function filesThatImport(graph: CodeGraph, path: string): string[] {
  const file = graph.file(path)?.id;
  if (file === undefined) return [];
  const own = graph.outline(path).slice(0, mostDefinitions);
  const uses = [file, ...own.map(({ id }) => id)].flatMap((id) => graph.incoming(id, ["imports"]));
  const paths = uses.map(({ from }) => from.path);
  return [...new Set(paths)].filter((each) => each !== path && isTestFile(each));
}
