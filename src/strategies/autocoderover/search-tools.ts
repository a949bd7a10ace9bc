/**
 * The search API as tools over the code graph. The tools find classes, methods and lines by name. They show a few
 * results in full, and only the file names of all others.
 */

import { z } from "zod";
import { renderSpans } from "../../agent/code/place-text.ts";
import type { ThinkTool } from "../../agent/think/think.ts";
import type { TreeView } from "../../agent/views.ts";
import { callableKinds, typeKinds } from "../../domain/code-symbols.ts";
import type { Entity, EntityKind } from "../../graph/contract.ts";
import type { OpenGraph } from "../../graph/open-graph.ts";
import { grep, searchedPaths } from "../../graph/retrieval/grep.ts";

/** Number of results shown in full. */
const mostFull = 3;
const mostFiles = 20;
const mostLines = 400;
/** Lines before and after a found line. */
const around = 3;
const mostHits = 200;

/**
 * The kinds that the class tools (`search_class` …) and the method tools (`search_method` …) find. They include the
 * equivalents in other languages, such as structs, traits and functions.
 */
const classes: ReadonlySet<EntityKind> = new Set(typeKinds);
const methods: ReadonlySet<EntityKind> = new Set(callableKinds);

const name = (of: string) => z.string().min(1).describe(`the ${of}'s name`);
const file = z.string().min(1).describe("a path, or the end of a path");

export function searchTools(view: TreeView): ThinkTool<never>[] {
  return [...classTools(view), ...methodTools(view), ...lineTools(view)];
}

function classTools(view: TreeView): ThinkTool<never>[] {
  return [
    searchTool(view, {
      name: "search_class",
      description: "Shows a class (or struct, interface, trait, enum) with the signatures of its members.",
      input: z.object({ class_name: name("class") }),
      answer: async (graph, asked) => outlineClasses(graph, named(graph, asked.class_name, classes)),
    }),
    searchTool(view, {
      name: "search_class_in_file",
      description: "Shows a class of one file, with the signatures of its members.",
      input: z.object({ class_name: name("class"), file_name: file }),
      answer: async (graph, asked) =>
        outlineClasses(graph, named(graph, asked.class_name, classes, asked.file_name)),
    }),
  ];
}

function methodTools(view: TreeView): ThinkTool<never>[] {
  return [
    searchTool(view, {
      name: "search_method",
      description: "Shows the code of methods and functions with this name, in any file.",
      input: z.object({ method_name: name("method") }),
      answer: (graph, asked) => showMethods(view, graph, named(graph, asked.method_name, methods)),
    }),
    searchTool(view, {
      name: "search_method_in_file",
      description: "Shows the code of methods and functions with this name, in one file.",
      input: z.object({ method_name: name("method"), file_name: file }),
      answer: (graph, asked) =>
        showMethods(view, graph, named(graph, asked.method_name, methods, asked.file_name)),
    }),
    searchTool(view, {
      name: "search_method_in_class",
      description: "Shows the code of a method of a class.",
      input: z.object({ method_name: name("method"), class_name: name("class") }),
      answer: (graph, asked) =>
        showMethods(view, graph, membersOf(graph, asked.class_name, asked.method_name)),
    }),
  ];
}

function lineTools(view: TreeView): ThinkTool<never>[] {
  return [
    searchTool(view, {
      name: "search_code",
      description: "Finds lines that contain a text, with the lines around them.",
      input: z.object({ code_str: z.string().min(1) }),
      answer: (graph, asked) => showLines(view, graph, asked.code_str),
    }),
    searchTool(view, {
      name: "search_code_in_file",
      description: "Finds lines of one file that contain a text, with the lines around them.",
      input: z.object({ code_str: z.string().min(1), file_name: file }),
      answer: (graph, asked) => showLines(view, graph, asked.code_str, asked.file_name),
    }),
    searchTool(view, {
      name: "get_code_around_line",
      description: "Shows a line of a file, with the lines around it.",
      input: z.object({
        file_name: file,
        line_number: z.int().min(1),
        window_size: z.int().min(0).max(100).default(10),
      }),
      async answer(graph, { file_name: path, line_number: line, window_size: window }) {
        const [first] = pathsOf(graph, path);
        if (first === undefined) return `There is no file ${path}.`;
        return show(view, [{ file: first, startLine: line, endLine: line }], window);
      },
    }),
  ];
}

interface Search<Input extends z.ZodObject> {
  readonly name: string;
  readonly description: string;
  readonly input: Input;
  readonly answer: (graph: OpenGraph, asked: z.infer<Input>) => Promise<string>;
}

function searchTool<Input extends z.ZodObject>(
  view: TreeView,
  { answer, ...tool }: Search<Input>,
): ThinkTool<never> {
  return {
    ...tool,
    run: async (asked) => ({ text: await answer(await view.context.graph(), tool.input.parse(asked)) }),
  };
}

interface Found {
  readonly wanted: string;
  readonly entities: readonly Entity[];
}

/** Finds definitions by name. Includes those in tests only if there are no others. */
function named(graph: OpenGraph, wanted: string, kinds: ReadonlySet<EntityKind>, path?: string): Found {
  const paths = path === undefined ? undefined : new Set(pathsOf(graph, path));
  const fitting = graph
    .named(wanted, mostHits)
    .filter((entity) => kinds.has(entity.kind) && (paths === undefined || paths.has(entity.path)));
  const own = fitting.filter(({ inTests }) => !inTests);
  return { wanted, entities: own.length > 0 ? own : fitting };
}

function membersOf(graph: OpenGraph, owner: string, wanted: string): Found {
  const last = wanted.split(/[.:#]+/).at(-1) ?? wanted;
  const entities = named(graph, owner, classes).entities.flatMap(({ id }) =>
    contentsOf(graph, id).filter((entity) => methods.has(entity.kind) && entity.name === last),
  );
  return { wanted: `${owner}.${wanted}`, entities };
}

/** Returns the contents of a definition, and its members elsewhere. */
function contentsOf(graph: OpenGraph, id: number): Entity[] {
  const seen = new Map([...graph.children(id), ...graph.members(id)].map((entity) => [entity.id, entity]));
  return [...seen.values()];
}

function pathsOf(graph: OpenGraph, path: string): string[] {
  const end = path.trim().replace(/^\.?\//, "");
  return searchedPaths(graph).filter((each) => each === end || each.endsWith(`/${end}`));
}

function outlineClasses(graph: OpenGraph, { wanted, entities }: Found): string {
  if (entities.length === 0) return missing(graph, wanted);
  const full = entities.slice(0, mostFull).map((entity) => {
    const members = contentsOf(graph, entity.id).map(({ signature, name: own }) => `    ${signature || own}`);
    return [`### ${entity.path}:${entity.startLine}-${entity.endLine}`, entity.signature, ...members].join(
      "\n",
    );
  });
  return [...full, ...restOf(entities)].join("\n\n");
}

async function showMethods(view: TreeView, graph: OpenGraph, { wanted, entities }: Found): Promise<string> {
  if (entities.length === 0) return missing(graph, wanted);
  const spans = entities.slice(0, mostFull).map(spanOf);
  return [await show(view, spans, 0), ...restOf(entities)].join("\n\n");
}

async function showLines(view: TreeView, graph: OpenGraph, pattern: string, path?: string): Promise<string> {
  const paths = path === undefined ? searchedPaths(graph) : pathsOf(graph, path);
  if (paths.length === 0) return `The repository has no file ${path}.`;
  const { repository } = view.context;
  const { lines } = grep({ repository, paths, pattern, limit: mostHits });
  if (lines.length === 0) return "No line contains this text.";
  const found = lines.map(({ path: at, line }) => ({ path: at, file: at, startLine: line, endLine: line }));
  return [await show(view, found.slice(0, mostFull), around), ...restOf(found)].join("\n\n");
}

export function spanOf({ path, startLine, endLine }: Entity) {
  return { file: path, startLine, endLine };
}

function show(view: TreeView, spans: Parameters<typeof renderSpans>[1], lines: number): Promise<string> {
  return renderSpans(view, spans, { around: lines, numbered: true, mostLines });
}

/** Describes the further results: their number and their files. */
function restOf(found: readonly { readonly path: string }[]): string[] {
  if (found.length <= mostFull) return [];
  const counts = new Map<string, number>();
  for (const { path } of found.slice(mostFull)) counts.set(path, (counts.get(path) ?? 0) + 1);
  const files = [...counts].slice(0, mostFiles).map(([path, count]) => `- ${path} (${count})`);
  const more = counts.size > mostFiles ? [`- … (further files: ${counts.size - mostFiles})`] : [];
  return [[`Further results: ${found.length - mostFull}, in these files:`, ...files, ...more].join("\n")];
}

function missing(graph: OpenGraph, wanted: string): string {
  const near = graph.suggest(wanted);
  return near.length === 0 ? `There is no ${wanted}.` : `There is no ${wanted}. Similar: ${near.join(", ")}.`;
}
