/**
 * Checks whether a changed text still parses, and returns its normal form. If possible, parses only the definitions
 * around the change instead of the whole file.
 */
import { Edit, type Node, type Parser, type Tree } from "web-tree-sitter";
import { renderNode } from "../syntax/normal-form/render.ts";
import type { Outline } from "../syntax/outline.ts";
import { countErrors, type Grammar, loadParser, parseTree } from "../syntax/parser.ts";
import { outlineOf } from "../syntax/symbols/choose-outline.ts";

export interface TextChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

export interface SyntaxCheck {
  /**
   * Undefined for a change with a new syntax error, or with the normal form of the text itself. Two changes have equal
   * normal forms only if their results are equivalent.
   */
  formOf(change: TextChange): string | undefined;
  free(): void;
}

/** The whole text, or adjacent definitions in it, with their tree. */
interface Piece {
  /** Offset of the piece in the whole text. */
  readonly offset: number;
  readonly text: string;
  readonly tree: Tree;
  readonly errors: number;
}

/** Maximum share of the text that is worth a separate tree. */
const largestShare = 0.6;

export async function openSyntaxCheck(
  grammar: Grammar,
  { path, text }: { readonly path: string; readonly text: string },
): Promise<SyntaxCheck> {
  const parser = await loadParser(grammar);
  const outline = outlineOf(path, text);
  const tree = parseTree(parser, text);
  const whole: Piece = { offset: 0, text, tree, errors: countErrors(tree) };
  const pieces = new Map<string, Piece>();
  const pieceAround = (change: TextChange): Piece => {
    const span = spanAround(whole, change);
    if (span === undefined) return whole;
    const key = `${span.start}:${span.end}`;
    const known = pieces.get(key) ?? cutPiece(parser, whole, span);
    pieces.set(key, known);
    return known;
  };
  return {
    formOf(change) {
      const piece = pieceAround(change);
      const form = readForm({ parser, outline, path }, piece, {
        ...change,
        start: change.start - piece.offset,
        end: change.end - piece.offset,
      });
      return form === undefined ? undefined : `${piece.offset}:${form}`;
    },
    free() {
      for (const piece of new Set([whole, ...pieces.values()])) piece.tree.delete();
    },
  };
}

interface Span {
  readonly start: number;
  readonly end: number;
  /** The kinds of the definitions in the span. */
  readonly kinds: string;
}

/** The outermost definitions that the change touches, from the beginning of their line. */
function spanAround({ text, tree }: Piece, change: TextChange): Span | undefined {
  const touched = tree.rootNode.children.filter(
    (child) => child.startIndex <= change.end && change.start <= child.endIndex,
  );
  const [first, last] = [touched[0], touched.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const start = text.lastIndexOf("\n", first.startIndex - 1) + 1;
  const end = last.endIndex;
  if (change.start < start || change.end > end || text.slice(start, first.startIndex).trim() !== "")
    return undefined;
  if (end - start > largestShare * text.length) return undefined;
  return { start, end, kinds: kindsOf(touched) };
}

/** Parses a span of the text as a separate piece. Returns `whole` if the piece alone parses differently. */
function cutPiece(parser: Parser, whole: Piece, { start, end, kinds }: Span): Piece {
  const text = whole.text.slice(start, end);
  const tree = parseTree(parser, text);
  if (!tree.rootNode.hasError && kindsOf(tree.rootNode.children) === kinds)
    return { offset: start, text, tree, errors: 0 };
  tree.delete();
  return whole;
}

function kindsOf(nodes: readonly Node[]): string {
  return nodes.map(({ type }) => type).join(" ");
}

interface Reading {
  readonly parser: Parser;
  readonly outline: Outline | undefined;
  readonly path: string;
}

function readForm(reading: Reading, piece: Piece, change: TextChange): string | undefined {
  const old = piece.tree.copy();
  try {
    old.edit(editOf(piece.text, change));
    const text = applyChange(piece.text, change);
    const tree = parseTree(reading.parser, text, old);
    try {
      if (countErrors(tree) > piece.errors) return undefined;
      const { start, end, replacement } = change;
      const before = renderAround(reading, { text: piece.text, tree: piece.tree, start, end, grown: 0 });
      const changedEnd = start + replacement.length;
      const grown = text.length - piece.text.length;
      const after = renderAround(reading, { text, tree, start, end: changedEnd, grown });
      return before === after ? undefined : after;
    } finally {
      tree.delete();
    }
  } finally {
    old.delete();
  }
}

/** Maximum number of characters of the node that `renderAround` renders. */
const longestForm = 2_000;

interface Changed {
  readonly text: string;
  readonly tree: Tree;
  readonly start: number;
  readonly end: number;
  /** Number of characters that the change added. */
  readonly grown: number;
}

/** The normal form of the node around the changed lines, or their plain text. Adds the range in the unchanged text. */
function renderAround({ outline, path }: Reading, { text, tree, start, end, grown }: Changed): string {
  const from = text.lastIndexOf("\n", start - 1) + 1;
  const found = text.indexOf("\n", end);
  const to = found === -1 ? text.length : found;
  const line = text.slice(from, to);
  const first = from + (line.length - line.trimStart().length);
  const last = Math.max(first, from + line.trimEnd().length);
  const node = tree.rootNode.descendantForIndex(first, last);
  if (
    outline === undefined ||
    node === null ||
    node.hasError ||
    node.endIndex - node.startIndex > longestForm
  )
    return `${from}:${to - grown}:${line}`;
  const form = renderNode({ outline, path, text, rename: () => undefined }, node);
  return `${node.startIndex}:${node.endIndex - grown}:${form}`;
}

export function applyChange(text: string, change: TextChange): string {
  return text.slice(0, change.start) + change.replacement + text.slice(change.end);
}

/**
 * Returns the text of the lines that a change touches, `before` and `after` the change. Both texts contain whole lines.
 */
export function linesOfChange(
  text: string,
  { start, end, replacement }: TextChange,
): { readonly before: string; readonly after: string } {
  const head = text.slice(text.lastIndexOf("\n", start - 1) + 1, start);
  const tail = text.slice(end).split("\n", 1)[0] ?? "";
  return { before: head + text.slice(start, end) + tail, after: head + replacement + tail };
}

function editOf(text: string, change: TextChange): Edit {
  const start = positionAt(text, change.start);
  const after = positionAt(change.replacement, change.replacement.length);
  return new Edit({
    startIndex: change.start,
    oldEndIndex: change.end,
    newEndIndex: change.start + change.replacement.length,
    startPosition: start,
    oldEndPosition: positionAt(text, change.end),
    newEndPosition: {
      row: start.row + after.row,
      column: after.row === 0 ? start.column + after.column : after.column,
    },
  });
}

function positionAt(text: string, offset: number): { row: number; column: number } {
  let row = 0;
  let lineStart = 0;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) {
    row++;
    lineStart = at + 1;
  }
  return { row, column: offset - lineStart };
}
