/**
 * Finds the place of an author's text in a file. Tries the rungs in order of strictness, and stops at the first that
 * finds a place.
 */
import type { Rung } from "./contract.ts";
import { findElided, isElisionLine } from "./elisions.ts";
import {
  type Alignment,
  findLines,
  findSequence,
  type LineForm,
  withoutIndent,
  withoutSpace,
  withoutTrail,
} from "./find-sequence.ts";
import { findSimilar, type SimilarPlace } from "./find-similar.ts";
import type { Reading } from "./readings.ts";
import { isShift } from "./reindent.ts";
import { isBlank, squeeze } from "./text-lines.ts";

export interface Place extends Reading {
  readonly rung: Rung;
  readonly alignment: Alignment;
  /** True if lines of `...` stand for the file's lines. */
  readonly isElided: boolean;
}

export interface Search {
  /** The places that fit equally well; if there are several, the author must give more text. */
  readonly places: readonly Place[];
  /** If there is no place: the nearest text, if any is similar. */
  readonly nearest?: SimilarPlace;
}

const forms: readonly (readonly [Rung, LineForm])[] = [
  ["whitespace", withoutTrail],
  ["indentation", withoutIndent],
  ["spacing", withoutSpace],
];

/** The minimum weighted share of the original that must match. */
const least = { anchors: 0.6, similar: 0.75 };

export function findPlaces(file: readonly string[], readings: readonly Reading[]): Search {
  const places = findWhole(file, readings);
  return places.length > 0 ? { places } : findNearest(file, readings);
}

/**
 * Finds places by the rungs that require every word of the original. These rungs are fast enough to search many files.
 */
export function findWhole(file: readonly string[], readings: readonly Reading[]): readonly Place[] {
  for (const reading of readings) {
    const exact = findLines(file, reading.original);
    if (exact.length > 0) return exact.map((alignment) => place(reading, "exact", alignment));
  }
  for (const [rung, form] of forms) {
    for (const reading of readings) {
      const found = findSequence(file, reading.original, form);
      if (found.length > 0)
        return preferShifted(
          file,
          found.map((alignment) => place(reading, rung, alignment)),
        );
    }
  }
  for (const reading of readings) {
    if (!reading.original.some(isElisionLine)) continue;
    const elided = findElided(file, reading.original);
    if (elided.length > 0)
      return elided.map((alignment) => ({ ...place(reading, "anchors", alignment), isElided: true }));
  }
  return [];
}

function place(reading: Reading, rung: Rung, alignment: Alignment): Place {
  return { ...reading, rung, alignment, isElided: false };
}

/** Prefers a place whose lines equal the author's lines, all shifted by the same indentation. */
function preferShifted(file: readonly string[], places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const shifted = places.filter(({ original, alignment }) => isShift({ file, original, alignment }));
  return shifted.length === 1 ? shifted : places;
}

function findNearest(file: readonly string[], readings: readonly Reading[]): Search {
  let nearest: SimilarPlace | undefined;
  for (const reading of [...readings].reverse()) {
    const found = findSimilar(file, reading.original);
    if (found === undefined) continue;
    const rung = rungOf(file, reading.original, found);
    if (rung !== undefined) return { places: [place(reading, rung, found.alignment)] };
    if (nearest === undefined || found.likeness > nearest.likeness) nearest = found;
  }
  return { places: [], ...(nearest === undefined ? {} : { nearest }) };
}

function rungOf(file: readonly string[], original: readonly string[], found: SimilarPlace): Rung | undefined {
  if (!found.isClear) return undefined;
  const ends = [
    original.findIndex((line) => !isBlank(line)),
    original.findLastIndex((line) => !isBlank(line)),
  ];
  const isAnchored = ends.every((index) => {
    const at = found.alignment[index] ?? -1;
    return at !== -1 && squeeze(original[index] ?? "") === squeeze(file[at] ?? "");
  });
  if (isAnchored && found.likeness >= least.anchors) return "anchors";
  return found.likeness >= least.similar ? "similar" : undefined;
}

export function rangeOf(alignment: Alignment): { readonly start: number; readonly end: number } {
  const lines = alignment.filter((line) => line !== -1);
  return { start: Math.min(...lines), end: Math.max(...lines) + 1 };
}
