/** Originals with their middle left out: `...`, `// rest unchanged`. */
import {
  type Alignment,
  findSequence,
  type LineForm,
  withoutIndent,
  withoutSpace,
  withoutTrail,
} from "./find-sequence.ts";
import { isBlank } from "./text-lines.ts";

const comment = String.raw`(?:#|//|--|/\*+|\{/\*|<!--|;|%|\*)`;
const closing = String.raw`(?:\*/\}?|-->)?`;
const words =
  "(?:rest|remaining|existing|unchanged|same as (?:before|above)|omitted|snip|other (?:code|lines|methods|functions))";
const bare = /^[([{<]?\s*(?:\.{3}|…)\s*[)\]}>]?$/;
const dotted = new RegExp(String.raw`^${comment}\s*(?:\.{3}|…).*$|^${comment}.*(?:\.{3}|…)\s*${closing}$`);
const worded = new RegExp(
  String.raw`^${comment}[\s([-]*(?:the\s+)?${words}\b.{0,60}$|^${comment}.{0,40}\bunchanged\b.{0,20}$`,
  "i",
);

/** True for a line that may stand for any number of lines; it can be one of the file too. */
export function isElisionLine(line: string): boolean {
  const text = line.trim();
  return bare.test(text) || dotted.test(text) || worded.test(text);
}

const mostChains = 64;

/** The places whose lines are the original's, in order, with anything where the original has an elision. */
export function findElided(file: readonly string[], original: readonly string[]): Alignment[] {
  const pieces = piecesOf(original);
  if (pieces.length === 0) return [];
  for (const form of [withoutTrail, withoutIndent, withoutSpace] satisfies LineForm[]) {
    const found = pieces.map(({ lines }) => findSequence(file, lines, form));
    const chains = chain(found);
    if (chains.length > 0 && chains.length <= mostChains)
      return chains.map((parts) => joinPieces(original.length, pieces, parts));
  }
  return [];
}

interface Piece {
  /** Where it begins in the original. */
  readonly at: number;
  readonly lines: readonly string[];
}

function piecesOf(original: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (let index = 0; index <= original.length; index++) {
    const line = original[index];
    if (line !== undefined && !isElisionLine(line)) continue;
    const lines = original.slice(at, index);
    if (lines.some((each) => !isBlank(each))) pieces.push({ at, lines });
    at = index + 1;
  }
  return pieces;
}

/** Every way to take one place of each piece so that they follow one another; no more than just too many. */
function chain(found: readonly (readonly Alignment[])[]): Alignment[][] {
  let chains: Alignment[][] = [[]];
  for (const places of found) {
    chains = chains.flatMap((before) =>
      places
        .filter((place) => Math.min(...known(place)) > Math.max(-1, ...before.flatMap(known)))
        .map((place) => [...before, place]),
    );
    if (chains.length > mostChains * mostChains) return [];
  }
  return nearest(chains);
}

/** Of the chains with the same beginning the shortest, and of those with the same end. */
function nearest(chains: readonly Alignment[][]): Alignment[][] {
  const best = (key: (chain: Alignment[]) => number): Map<number, Alignment[]> => {
    const kept = new Map<number, Alignment[]>();
    for (const each of chains) {
      const rival = kept.get(key(each));
      if (rival === undefined || lengthOf(each) < lengthOf(rival)) kept.set(key(each), each);
    }
    return kept;
  };
  const byStart = new Set(best(startOf).values());
  return [...best(endOf).values()].filter((each) => byStart.has(each));
}

const known = (alignment: Alignment): number[] => alignment.filter((line) => line !== -1);
const startOf = (parts: readonly Alignment[]): number => Math.min(...parts.flatMap(known));
const endOf = (parts: readonly Alignment[]): number => Math.max(...parts.flatMap(known));
const lengthOf = (parts: readonly Alignment[]): number => endOf(parts) - startOf(parts);

function joinPieces(length: number, pieces: readonly Piece[], parts: readonly Alignment[]): Alignment {
  const alignment: number[] = Array.from({ length }, () => -1);
  for (const [index, { at }] of pieces.entries()) {
    for (const [offset, line] of (parts[index] ?? []).entries()) alignment[at + offset] = line;
  }
  return alignment;
}
