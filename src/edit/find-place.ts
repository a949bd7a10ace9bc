/** The ladder: where in a file an author's text stands. The first rung with any place decides. */
import type { Rung } from "./contract.ts";
import {
  type Alignment,
  findLines,
  findSequence,
  type LineForm,
  withoutIndent,
  withoutSpace,
  withoutTrail,
} from "./find-sequence.ts";
import { isShift } from "./reindent.ts";

/** Both texts of an edit as lines. */
export interface Reading {
  readonly original: readonly string[];
  readonly replacement: readonly string[];
}

export interface Place extends Reading {
  readonly rung: Rung;
  readonly alignment: Alignment;
}

const forms: readonly (readonly [Rung, LineForm])[] = [
  ["whitespace", withoutTrail],
  ["indentation", withoutIndent],
  ["spacing", withoutSpace],
];

/** The places that fit equally well; several mean that the author has to say more. */
export function findPlaces(file: readonly string[], readings: readonly Reading[]): Place[] {
  for (const reading of readings) {
    const places = findExact(file, reading);
    if (places.length > 0) return places;
  }
  for (const [rung, form] of forms) {
    for (const reading of readings) {
      const found = findSequence(file, reading.original, form);
      const places = found.map((alignment) => ({ ...reading, rung, alignment }));
      if (places.length > 0) return preferShifted(file, places);
    }
  }
  return [];
}

function findExact(file: readonly string[], reading: Reading): Place[] {
  return findLines(file, reading.original).map((alignment) => ({ ...reading, rung: "exact", alignment }));
}

/** Of several, the one that is the author's text moved sideways as a whole. */
function preferShifted(file: readonly string[], places: readonly Place[]): Place[] {
  if (places.length < 2) return [...places];
  const shifted = places.filter(({ original, alignment }) => isShift({ file, original, alignment }));
  return shifted.length === 1 ? shifted : [...places];
}

export function rangeOf(alignment: Alignment): { readonly start: number; readonly end: number } {
  const lines = alignment.filter((line) => line !== -1);
  return { start: Math.min(...lines), end: Math.max(...lines) + 1 };
}
