/** Finds the comments and attributes directly above a definition. */
import type { Found, FoundDefinition } from "./found.ts";

export interface WhatIsAbove {
  /** Row of the first attribute, counted from 0, or the definition's own row if it is smaller. */
  readonly startRow: number;
  readonly comment: string | undefined;
  readonly attributes: string;
}

export type Above = (definition: FoundDefinition) => WhatIsAbove;

interface Piece {
  readonly startRow: number;
  readonly start: number;
  readonly end: number;
  readonly isComment: boolean;
}

export function aboveOf(found: Found, text: string): Above {
  const byLastRow = new Map<number, Piece[]>();
  for (const { start, end, row, lastRow, isComment } of found.above) {
    if (isComment && !isFirstOnLine(text, start)) continue;
    const piece = { startRow: row, start, end, isComment };
    const known = byLastRow.get(lastRow);
    if (known === undefined) byLastRow.set(lastRow, [piece]);
    else known.push(piece);
  }
  return (definition) => look(byLastRow, text, definition);
}

function look(
  byLastRow: ReadonlyMap<number, readonly Piece[]>,
  text: string,
  definition: FoundDefinition,
): WhatIsAbove {
  const pieces: Piece[] = [];
  let startRow = definition.row;
  let row = startRow;
  const beside = (byLastRow.get(row) ?? []).filter((piece) => piece.end <= definition.start);
  const first = Math.min(definition.start, ...beside.map((piece) => piece.start));
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

/**
 * True if only words such as `export const` precede the definition on its line. A comment above the line then documents
 * it.
 */
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
