import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import type { CodeGraph } from "../graph/contract.ts";
import { defineCodeTool } from "./contract.ts";
import { findIndexedFile } from "./indexed-file.ts";
import { findTestsOf } from "./tests-of-place.ts";
import { type PlacedTest, testLines } from "./tests-of-places.ts";

export default defineCodeTool({
  name: "related-tests",
  title: "Tests of a place",
  description:
    "Lists the tests most closely related to a file, or to the definition at one of the file's lines.",
  input: z.object({
    path: z.string().min(1).describe("relative to the repository"),
    line: z.int().min(1).optional(),
    limit: z.int().min(1).max(100).default(10),
  }),
  effect: "reads",
  async run(context, { path, line, limit }) {
    const searcher = await context.searcher();
    const graph = await context.graph();
    const file = findIndexedFile(context.repository, graph, path);
    if (!file.ok) return file;
    const { tests, through, importing } = findTestsOf(searcher, graph, { path: file.value, line }, limit);
    if (tests.length + through.length + importing.length === 0)
      return fail(
        "not-found",
        `No test is related to ${path}: no test calls it, imports it, names its definitions, or has a matching name.`,
      );
    const lines = [
      ...tellTests(tests, through, line === undefined ? undefined : definitionAt(graph, file.value, line)),
      ...(importing.length === 0
        ? []
        : [`Tests that import the file: ${importing.slice(0, limit).join(", ")}`]),
    ];
    return succeed({ data: { tests, through, importing }, text: lines.join("\n") });
  },
});

/** Returns the name of the innermost definition around a line. */
function definitionAt(graph: CodeGraph, path: string, line: number): string | undefined {
  const around = graph
    .outline(path)
    .filter(({ kind, startLine, endLine }) => kind !== "file" && startLine <= line && line <= endLine);
  return around.toSorted((a, b) => a.endLine - a.startLine - (b.endLine - b.startLine))[0]?.name;
}

/**
 * Renders the tests. Separates tests that name the definition from tests of its file, because readers must not confuse
 * them.
 */
function tellTests(
  tests: readonly PlacedTest[],
  through: readonly PlacedTest[],
  definition: string | undefined,
): string[] {
  const ofCallers = through.length === 0 ? [] : ["Tests of the callers:", ...testLines(through)];
  if (definition === undefined || tests.length === 0) return [...testLines(tests), ...ofCallers];
  const own = tests.filter(({ names }) => names.includes(definition));
  const others = tests.filter((test) => !own.includes(test));
  const head = own.length === 0 ? [`No test names ${definition}.`] : testLines(own);
  return [
    ...head,
    ...ofCallers,
    ...(others.length === 0
      ? []
      : ["Tests of the definition's file, or of nearby names:", ...testLines(others)]),
  ];
}
