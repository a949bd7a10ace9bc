/** What a file's counters count, without inserting them. */
import type { SyntaxTree } from "../syntax/node.ts";
import { findPlaces as findJavascriptPlaces } from "./javascript-places.ts";
import { findPlaces as findRustPlaces } from "./rust-places.ts";

export interface CountedPlace {
  /** Of the statement or expression, from 1, both ends included. */
  readonly startLine: number;
  readonly endLine: number;
  /** Those that are reported together once it is reached, ascending. */
  readonly lines: readonly number[];
}

const finders: Readonly<Record<string, (tree: SyntaxTree) => CountedPlace[]>> = {
  javascript: (tree) => javascriptPlaces(tree, false),
  rust: (tree) => findRustPlaces(tree).map(placeOf),
  typescript: (tree) => javascriptPlaces(tree, true),
};

/** By a language's name; undefined where its counters do not say so, or it has none. The head of a function is no place. */
export function countedPlaces(language: string, tree: SyntaxTree): readonly CountedPlace[] | undefined {
  return finders[language]?.(tree);
}

function javascriptPlaces(tree: SyntaxTree, typescript: boolean): CountedPlace[] {
  return findJavascriptPlaces(tree.root, typescript)
    .filter(({ kind }) => kind !== "entry")
    .map(placeOf);
}

function placeOf({
  node,
  lines,
}: {
  readonly node: { readonly startLine: number; readonly endLine: number };
  readonly lines: readonly number[];
}): CountedPlace {
  return { startLine: node.startLine, endLine: node.endLine, lines };
}
