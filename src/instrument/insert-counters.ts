/**
 * Coverage by counters: a file's text with a counter before each statement. No code moves to another line, so stack
 * traces, line snapshots and compiler messages stay the same.
 */
import { extname } from "node:path";
import type { Language } from "../languages/contract.ts";
import { parseSyntax, type SyntaxTree, walk } from "../syntax/node.ts";
import { placeJavaCounters } from "./java-counters.ts";
import { placeCounters } from "./javascript-counters.ts";
import { placeRustCounters } from "./rust-counters.ts";
import { type Insertion, insertAll } from "./text-insertions.ts";

/** For each language: returns the insertions of a parsed file. */
const placers: Readonly<Record<string, (tree: SyntaxTree, path: string) => Insertion[]>> = {
  java: placeJavaCounters,
  javascript: (tree, path) => placeCounters(tree, path, false),
  rust: placeRustCounters,
  typescript: (tree, path) => placeCounters(tree, path, true),
};

/**
 * Number of characters above which a file counts as generated. With longer lines on average than `longestLine`, it
 * counts as minified.
 */
const longestFile = 1_500_000;
const longestLine = 400;

/** True for a language in whose files Millwright can insert counters. */
export function canCount(language: Language): boolean {
  return placers[language.name] !== undefined;
}

/**
 * Inserts counters. Returns the text unchanged if:
 * - there is nothing to count, or Millwright has no counters for the language
 * - the file has only declarations (`.d.ts`) or is generated
 * - the file has a syntax error at its top level, or would have more syntax errors with counters
 */
export async function insertCounters(path: string, text: string, language: Language): Promise<string> {
  const place = placers[language.name];
  if (place === undefined || /\.d\.[cm]?ts$/.test(path) || isGenerated(text)) return text;
  const grammar = language.grammar(extname(path));
  const tree = await parseSyntax(grammar, text);
  if (tree.root.children.some((child) => child.broken)) return text;
  const insertions = place(tree, path);
  if (insertions.length === 0) return text;
  const counted = insertAll(text, insertions);
  const broken = countBroken(tree);
  return countBroken(await parseSyntax(grammar, counted)) > broken ? text : counted;
}

function isGenerated(text: string): boolean {
  if (text.length > longestFile) return true;
  return text.length > 10_000 && text.length / text.split("\n").length > longestLine;
}

function countBroken(tree: SyntaxTree): number {
  let count = 0;
  for (const node of walk(tree.root)) if (node.broken) count += 1;
  return count;
}
