/** The comments and attributes that stand directly above a definition. */
import type { Node } from "web-tree-sitter";
import type { Found } from "./matches.ts";

export interface WhatIsAbove {
  /** Row of the first attribute, counted from 0; the definition's own without any. */
  readonly startRow: number;
  readonly comment: string | undefined;
  readonly attributes: string;
}

export type Above = (definition: Node) => WhatIsAbove;

interface Piece {
  readonly startRow: number;
  readonly start: number;
  readonly end: number;
  readonly isComment: boolean;
}

export function aboveOf(found: Found, text: string): Above {
  const byLastRow = new Map<number, Piece[]>();
  for (const { node, isComment } of found.above) {
    const { startIndex: start, startPosition } = node;
    if (isComment && !isFirstOnLine(text, start)) continue;
    const { row, column } = node.endPosition;
    const last = column === 0 && row > startPosition.row ? row - 1 : row;
    const piece = { startRow: startPosition.row, start, end: node.endIndex, isComment };
    const known = byLastRow.get(last);
    if (known === undefined) byLastRow.set(last, [piece]);
    else known.push(piece);
  }
  return (definition) => look(byLastRow, text, definition);
}

function look(byLastRow: ReadonlyMap<number, readonly Piece[]>, text: string, definition: Node): WhatIsAbove {
  const pieces: Piece[] = [];
  let startRow = definition.startPosition.row;
  let row = startRow;
  const beside = (byLastRow.get(row) ?? []).filter((piece) => piece.end <= definition.startIndex);
  const first = Math.min(definition.startIndex, ...beside.map((piece) => piece.start));
  if (!opensLine(text, first)) return { startRow, comment: undefined, attributes: "" };
  for (let next: readonly Piece[] | undefined = beside; next !== undefined; next = byLastRow.get(row)) {
    pieces.push(...next);
    const first = Math.min(row, ...next.map((piece) => piece.startRow));
    for (const piece of next) if (!piece.isComment) startRow = Math.min(startRow, piece.startRow);
    row = first - 1;
  }
  pieces.sort((a, b) => a.start - b.start);
  const written = (isComment: boolean) =>
    pieces
      .filter((piece) => piece.isComment === isComment)
      .map((piece) => text.slice(piece.start, piece.end).trimEnd())
      .join("\n");
  return { startRow, comment: written(true) || undefined, attributes: written(false) };
}

/** Only words stand before it on its line (`export const`): what is above that line is about it. */
function opensLine(text: string, start: number): boolean {
  const near = text.slice(Math.max(0, start - 200), start);
  return !/[{}();,=]/.test(near.slice(near.lastIndexOf("\n") + 1));
}

function isFirstOnLine(text: string, start: number): boolean {
  for (let index = start - 1; index >= 0; index--) {
    const char = text[index];
    if (char === "\n") return true;
    if (char !== " " && char !== "\t") return false;
  }
  return true;
}
