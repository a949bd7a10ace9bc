/** Finds the places that a file's counters would count, without inserting counters. */
import type { SyntaxTree } from "../syntax/node.ts";
import { findPlaces as findJavascriptPlaces } from "./javascript-places.ts";
import { findPlaces as findRustPlaces } from "./rust-places.ts";

export interface CountedPlace {
  /** Lines of the statement or expression, from 1, inclusive. */
  readonly startLine: number;
  readonly endLine: number;
  /** The lines that count as executed once the place is reached, ascending. */
  readonly lines: readonly number[];
}

const finders: Readonly<Record<string, (tree: SyntaxTree) => CountedPlace[]>> = {
  javascript: (tree) => javascriptPlaces(tree, false),
  rust: (tree) => findRustPlaces(tree).map(placeOf),
  typescript: (tree) => javascriptPlaces(tree, true),
};

/**
 * Finds the places that counters would report, without the heads of functions. Undefined if this module does not
 * support the language.
 */
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
