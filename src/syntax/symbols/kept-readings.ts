/**
 * Keeps the last parse trees and query results of files that callers read repeatedly, such as files in an editor.
 * Parses a changed text incrementally. Runs the query again only around the difference: on the old tree for removed
 * text, on the new tree for added text.
 */
import { Edit, type Parser, type Range, type Tree } from "web-tree-sitter";
import type { Outline } from "../outline.ts";
import { parseUntil } from "../parser.ts";
import { allSpots, type Found, type FoundLeaf, nothingFound, putInOrder, type Spot } from "./found.ts";
import { findMatches, type PointRange, type Reading } from "./matches.ts";

interface KeptReading {
  readonly outline: Outline;
  readonly text: string;
  readonly tree: Tree;
  readonly found: Found;
}

const kept = new Map<string, KeptReading>();
/** Maximum UTF-16 code units of all kept texts together. A tree takes about fifty times as much memory as its text. */
const mostText = 512 * 1024;

/** Removes the file's kept reading. Returns it if it has the same outline; the caller then owns it. */
function takeReading(path: string, outline: Outline): KeptReading | undefined {
  const known = kept.get(path);
  kept.delete(path);
  if (known === undefined || known.outline === outline) return known;
  known.tree.delete();
  return undefined;
}

/**
 * Keeps a file's tree and query results for its next change. From now on, this module owns the tree. If all kept texts
 * together exceed the limit, frees the oldest ones.
 */
export function keepReading(path: string, reading: KeptReading): void {
  kept.get(path)?.tree.delete();
  kept.delete(path);
  kept.set(path, reading);
  let length = 0;
  for (const { text } of kept.values()) length += text.length;
  for (const [oldest, { text, tree }] of kept) {
    if (length <= mostText) break;
    length -= text.length;
    kept.delete(oldest);
    tree.delete();
  }
}

/** The differing part of two texts; before and after it they are equal. */
interface Difference {
  readonly start: number;
  readonly endBefore: number;
  readonly endNow: number;
}

/**
 * Updates the kept query results of a file to the new text. Returns undefined if the caller must read the whole file.
 */
export function readAgain(parser: Parser, given: Omit<Reading, "tree">): Found | undefined {
  const last = takeReading(given.path, given.outline);
  if (last === undefined) return undefined;
  const again = parseAgain(last, parser, given);
  if (again === undefined) {
    keepReading(given.path, last);
    return undefined;
  }
  const { tree, range } = again;
  const found = findAround(last, { ...given, tree }, range);
  last.tree.delete();
  if (found === undefined) tree.delete();
  else keepReading(given.path, { outline: given.outline, text: given.text, tree, found });
  return found;
}

interface ParsedAgain {
  readonly tree: Tree;
  /** The part in which to run the query again. */
  readonly range: Difference;
}

/**
 * Parses a changed text incrementally. Undefined if the text has syntax errors, because error recovery depends on where
 * the parser began.
 */
function parseAgain(
  last: KeptReading,
  parser: Parser,
  { text, deadline }: Omit<Reading, "tree">,
): ParsedAgain | undefined {
  const difference = compare(last.text, text);
  const edited = last.tree.copy();
  edited.edit(describeEdit(last.text, text, difference));
  try {
    const tree = parseUntil(parser, text, deadline, edited);
    if (tree !== undefined && !tree.rootNode.hasError)
      return { tree, range: widen(last.text, text, difference, edited.getChangedRanges(tree)) };
    tree?.delete();
    return undefined;
  } finally {
    edited.delete();
  }
}

function compare(before: string, now: string): Difference {
  const least = Math.min(before.length, now.length);
  let start = 0;
  while (start < least && before.charCodeAt(start) === now.charCodeAt(start)) start++;
  let [endBefore, endNow] = [before.length, now.length];
  while (
    endBefore > start &&
    endNow > start &&
    before.charCodeAt(endBefore - 1) === now.charCodeAt(endNow - 1)
  ) {
    endBefore--;
    endNow--;
  }
  return { start, endBefore, endNow };
}

function describeEdit(before: string, now: string, { start, endBefore, endNow }: Difference): Edit {
  return new Edit({
    startIndex: start,
    oldEndIndex: endBefore,
    newEndIndex: endNow,
    startPosition: pointAt(before, start),
    oldEndPosition: pointAt(before, endBefore),
    newEndPosition: pointAt(now, endNow),
  });
}

function pointAt(text: string, index: number): { row: number; column: number } {
  let [row, start] = [0, 0];
  for (let at = text.indexOf("\n"); at !== -1 && at < index; at = text.indexOf("\n", at + 1)) {
    row++;
    start = at + 1;
  }
  return { row, column: index - start };
}

/** Widens a difference to the parts whose structure differs, and to whole lines, so that columns beyond stay valid. */
function widen(before: string, now: string, difference: Difference, changed: readonly Range[]): Difference {
  const longer = now.length - before.length;
  const first = Math.min(difference.start, ...changed.map(({ startIndex }) => startIndex));
  const last = Math.max(difference.endNow, ...changed.map(({ endIndex }) => endIndex));
  const start = now.lastIndexOf("\n", first - 1) + 1;
  const lineEnd = now.indexOf("\n", last);
  const endNow = lineEnd === -1 ? now.length : lineEnd + 1;
  const endBefore = endNow - longer;
  if (first === 0) return { start: 0, endNow, endBefore };
  // If one side of the difference is empty, as at a text's end, the previous line is included.
  const isEmpty = endNow <= start || endBefore <= start;
  return { start: isEmpty ? now.lastIndexOf("\n", start - 2) + 1 : start, endNow, endBefore };
}

/** Maximum number of affected names outside the difference. With more, the query runs on the whole text. */
const mostNames = 100;

function findAround(last: KeptReading, reading: Reading, range: Difference): Found | undefined {
  const { start, endBefore, endNow } = range;
  if (endBefore <= start || endNow <= start) return findMatches(reading);
  const { outline, path, query, deadline } = reading;
  const before: Reading = { outline, path, query, deadline, text: last.text, tree: last.tree };
  const gone = findMatches(before, linesOf(last.text, start, endBefore));
  const come = findMatches(reading, linesOf(reading.text, start, endNow));
  if (gone === undefined || come === undefined) return undefined;
  const found = withoutGone(last.found, gone, range);
  const outside = gone.leaves.filter((leaf) => leaf.start < start || leaf.start >= endBefore);
  const move = moved(last.text, reading.text, range);
  shift(found, endBefore, move);
  shift({ ...nothingFound(), leaves: outside }, endBefore, move);
  for (const leaf of come.leaves) if (leaf.start < start || leaf.start >= endNow) outside.push(leaf);
  const names = new Map(outside.map((leaf) => [leaf.start, leaf]));
  if (names.size > mostNames) return findMatches(reading);
  found.leaves = found.leaves.filter((leaf) => !names.has(leaf.start));
  add(found, { ...come, leaves: come.leaves.filter((leaf) => leaf.start >= start && leaf.start < endNow) });
  for (const name of names.values()) {
    const again = findMatches(reading, nameRange(name));
    if (again === undefined) return undefined;
    for (const leaf of again.leaves) if (leaf.start === name.start) found.leaves.push(leaf);
  }
  putInOrder(found);
  return found;
}

/** The rows of whole lines, because web-tree-sitter interprets a query's offsets differently. */
function linesOf(text: string, start: number, end: number): PointRange {
  const first = countLines(text, 0, start);
  const last = first + countLines(text, start, end) + (text[end - 1] === "\n" ? 0 : 1);
  return { startPosition: { row: first, column: 0 }, endPosition: { row: last, column: 0 } };
}

function nameRange({ row, column }: FoundLeaf): PointRange {
  return { startPosition: { row, column }, endPosition: { row, column: column + 1 } };
}

/** Joins the lists of two results pairwise, except the leaves. */
function joinLists(one: Found, other: Found, join: <S extends Spot>(one: S[], other: S[]) => S[]): Found {
  return {
    definitions: join(one.definitions, other.definitions),
    leaves: one.leaves,
    scopes: join(one.scopes, other.scopes),
    blocks: join(one.blocks, other.blocks),
    imports: join(one.imports, other.imports),
    exported: join(one.exported, other.exported),
    packages: join(one.packages, other.packages),
    above: join(one.above, other.above),
    ignored: join(one.ignored, other.ignored),
    errors: join(one.errors, other.errors),
  };
}

function keyOf(spot: Spot & { readonly name?: { readonly start: number } }): string {
  return `${spot.start} ${spot.end} ${spot.rank} ${spot.name?.start}`;
}

function withoutGone(found: Found, gone: Found, { start, endBefore }: Difference): Found {
  const rest = joinLists(found, gone, (spots, left) => {
    const keys = new Set(left.map(keyOf));
    return spots.filter((spot) => !keys.has(keyOf(spot)));
  });
  rest.leaves = found.leaves.filter((leaf) => leaf.start < start || leaf.start >= endBefore);
  return rest;
}

function add(found: Found, more: Found): void {
  const leaves = [...found.leaves, ...more.leaves];
  Object.assign(found, { ...joinLists(found, more, (own, others) => [...own, ...others]), leaves });
}

interface Move {
  readonly index: number;
  readonly rows: number;
}

function moved(before: string, now: string, { start, endBefore, endNow }: Difference): Move {
  const rows = countLines(now, start, endNow) - countLines(before, start, endBefore);
  return { index: endNow - endBefore, rows };
}

function countLines(text: string, from: number, to: number): number {
  let count = 0;
  for (let at = text.indexOf("\n", from); at !== -1 && at < to; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

/** Moves results that begin after the difference. */
function shift(found: Found, from: number, { index, rows }: Move): void {
  if (index === 0 && rows === 0) return;
  for (const spots of allSpots(found))
    for (const spot of spots)
      if (spot.start >= from) {
        spot.start += index;
        spot.end += index;
      }
  const moves = <T extends Spot>(spots: readonly T[]): T[] =>
    spots.filter(({ start }) => start >= from + index);
  for (const leaf of moves(found.leaves)) leaf.row += rows;
  for (const definition of moves(found.definitions)) {
    definition.row += rows;
    definition.lastRow += rows;
    definition.name.start += index;
    definition.name.end += index;
    definition.name.row += rows;
    if (definition.bodyStart !== undefined) definition.bodyStart += index;
  }
  for (const above of moves(found.above)) {
    above.row += rows;
    above.lastRow += rows;
  }
  for (const one of moves(found.imports))
    one.imports = one.imports.map((written) => ({ ...written, line: written.line + rows }));
}
