import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import type { CodeGraph } from "../graph/contract.ts";
import { isTestFile } from "../languages/source-files.ts";
import { defineCodeTool } from "./contract.ts";
import { findIndexedFile } from "./indexed-file.ts";
import { namesIn, type PlacedTest, testLines, testsOfPlaces } from "./tests-of-places.ts";

export default defineCodeTool({
  name: "related-tests",
  title: "Tests of a place",
  description: "The tests that have most to do with a file, or with the definition at a line of it.",
  input: z.object({
    path: z.string().min(1).describe("relative to the repository"),
    line: z.int().min(1).optional(),
    limit: z.int().min(1).max(100).default(10),
  }),
  effect: "reads",
  async run(context, { path, line, limit }) {
    const searcher = await context.searcher();
    const file = findIndexedFile(context.repository, await context.graph(), path);
    if (!file.ok) return file;
    const near =
      line === undefined ? [] : (searcher.linesOf(file.value) ?? []).slice(Math.max(0, line - 4), line + 3);
    const words = namesIn(near.join("\n"));
    const place = line === undefined ? { path: file.value } : { path: file.value, line, words };
    const tests = testsOfPlaces(searcher, [place], limit);
    const graph = await context.graph();
    const importing = filesThatImport(graph, file.value).filter(
      (each) => !tests.some((test) => test.path === each),
    );
    if (tests.length === 0 && importing.length === 0)
      return fail(
        "not-found",
        `No test names what ${path} defines, imports it, or lies as it does: they may reach it through what calls it.`,
      );
    const lines = [
      ...tellTests(tests, line === undefined ? undefined : definitionAt(graph, file.value, line)),
      ...(importing.length === 0 ? [] : [`Tests that import it: ${importing.slice(0, limit).join(", ")}`]),
    ];
    return succeed({ data: { tests, importing }, text: lines.join("\n") });
  },
});

/** The innermost definition around a line. */
function definitionAt(graph: CodeGraph, path: string, line: number): string | undefined {
  const around = graph
    .outline(path)
    .filter(({ kind, startLine, endLine }) => kind !== "file" && startLine <= line && line <= endLine);
  return around.toSorted((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0]?.name;
}

/** Tests that name the definition apart from those that are only its file's: one who reads them must not take these for its own. */
function tellTests(tests: readonly PlacedTest[], definition: string | undefined): string[] {
  if (definition === undefined || tests.length === 0) return testLines(tests);
  const own = tests.filter(({ names }) => names.includes(definition));
  const others = tests.filter((test) => !own.includes(test));
  const head = own.length === 0 ? [`No test names ${definition}.`] : testLines(own);
  return [
    ...head,
    ...(others.length === 0 ? [] : ["Of its file, or names beside it:", ...testLines(others)]),
  ];
}

/** Of a file, whose importers are looked for. */
const mostDefinitions = 60;

function filesThatImport(graph: CodeGraph, path: string): string[] {
  const file = graph.file(path)?.id;
  if (file === undefined) return [];
  const own = graph.outline(path).slice(0, mostDefinitions);
  const uses = [file, ...own.map(({ id }) => id)].flatMap((id) => graph.incoming(id, ["imports"]));
  const paths = uses.map(({ from }) => from.path);
  return [...new Set(paths)].filter((each) => each !== path && isTestFile(each));
}
