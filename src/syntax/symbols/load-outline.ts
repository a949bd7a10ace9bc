/** Loads an outline's parser and its compiled query. */
import { type Parser, Query } from "web-tree-sitter";
import type { Outline } from "../outline.ts";
import { type Grammar, loadParser } from "../parser.ts";

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
