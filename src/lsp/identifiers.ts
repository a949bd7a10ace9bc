/** Finds candidates for an approximate position, which names a line, an identifier, or both. */
import type { Place } from "../domain/code-symbols.ts";

/** The ways to find a position, from the most to the least reliable. */
export type PositionOrigin =
  | "exact" // the identifier on the given line
  | "line" // an identifier of the given line
  | "near" // close to that line, or anywhere in the file if no line was given
  | "opened"; // in another file that was opened before

export interface RoughPosition {
  /** Path relative to the repository. Without a path, Millwright searches for the name in files opened before. */
  readonly path?: string;
  /** The line, from 1. */
  readonly line?: number;
  readonly name?: string;
}

export interface PositionCandidate extends Place {
  readonly path: string;
  readonly origin: PositionOrigin;
  readonly name: string;
}

/** Maximum distance in lines that counts as near. Below: the number of positions of each kind to try. */
const nearLines = 12;
const triesOfKind = 8;

const identifier = /[\p{ID_Start}_$][\p{ID_Continue}$]*/gu;

interface Occurrence extends Place {
  readonly name: string;
}

/**
 * Returns the positions to ask a server about, in order. `opened`: the texts of files opened before, latest first.
 * `isWord`: true for the language's keywords (`return`), which no server knows.
 */
export function positionCandidates(
  wanted: RoughPosition,
  text: string | undefined,
  opened: ReadonlyMap<string, string>,
  isWord: (name: string) => boolean = () => false,
): PositionCandidate[] {
  const { path = "", line, name } = wanted;
  const own = text === undefined ? [] : occurrencesOf(text, name, isWord);
  const named = (found: readonly Occurrence[], origin: PositionOrigin, at = path): PositionCandidate[] =>
    found.slice(0, triesOfKind).map((place) => ({ ...place, path: at, origin }));
  const onLine = own.filter((place) => place.line === line);
  const around = own
    .filter((place) => place.line !== line && isNear(place, line, name))
    .toSorted((a, b) => distance(a, line) - distance(b, line));
  const elsewhere =
    name === undefined
      ? []
      : [...opened]
          .filter(([other]) => other !== path)
          .flatMap(([other, its]) => {
            const found = occurrencesOf(its, name, isWord);
            return named(
              found.toSorted((a, b) => distance(a, line) - distance(b, line)).slice(0, 2),
              "opened",
              other,
            );
          });
  return [
    ...named(onLine, name === undefined ? "line" : "exact"),
    ...named(around, "near"),
    ...elsewhere.slice(0, triesOfKind),
  ];
}

/**
 * True if a position is near enough. For a name, every position in the file counts, the nearest first. Without a name,
 * only near positions count.
 */
function isNear(place: Place, line: number | undefined, name: string | undefined): boolean {
  if (name !== undefined) return true;
  return line !== undefined && Math.abs(place.line - line) <= nearLines;
}

function distance(place: Place, line: number | undefined): number {
  return line === undefined ? place.line : Math.abs(place.line - line);
}

function occurrencesOf(
  text: string,
  name: string | undefined,
  isWord: (name: string) => boolean,
): Occurrence[] {
  if (name !== undefined && !text.includes(name)) return [];
  return text
    .split(/\r?\n/)
    .flatMap((content, index) =>
      [...content.matchAll(identifier)]
        .filter(([found]) => (name === undefined ? !isWord(found) : found === name))
        .map((match) => ({ line: index + 1, column: match.index, name: match[0] })),
    );
}
