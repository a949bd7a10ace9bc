/** The outline that reads a file, with its parser and its compiled query. */
import { type Parser, Query } from "web-tree-sitter";
import type { Outline } from "../outline.ts";
import { outlines } from "../outlines/index.generated.ts";
import { type Grammar, loadParser } from "../parser.ts";

/** The outline that reads a file: by its extension, and by its text where two languages share one (`.h`). */
export function outlineOf(path: string, text: string): Outline | undefined {
  const fitting = (outlines as readonly Outline[]).filter((outline) =>
    outline.extensions.some((extension) => path.endsWith(extension)),
  );
  return (
    fitting.find((outline) => outline.claims?.(path, text) === true) ??
    fitting.find((outline) => outline.claims === undefined)
  );
}

const queries = new Map<Outline, Promise<Query>>();

export async function loadOutline(outline: Outline): Promise<{ parser: Parser; query: Query }> {
  const parser = await loadParser(outline.grammar);
  let query = queries.get(outline);
  if (query === undefined) {
    query = compile(outline.grammar, outline.query);
    queries.set(outline, query);
  }
  return { parser, query: await query };
}

async function compile(grammar: Grammar, source: string): Promise<Query> {
  const { language } = await loadParser(grammar);
  if (language === null) throw new TypeError(`The grammar ${grammar} has no language.`);
  return new Query(language, `${source}\n(ERROR) @error (MISSING) @error`);
}
