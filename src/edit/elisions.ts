/** Handles an edit's texts in which a line such as `...` or `// rest unchanged` stands for omitted lines. */
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
const bare = /^[([{<]?\s*(?:\.{3}|…)\s*[)\]}>]?$/;
const dots = String.raw`(?:\.{3}|…)`;
const dotted = new RegExp(String.raw`^${comment}\s*${dots}.*$|^${comment}.*\s${dots}\s*${closing}$`);
const lazy = new RegExp(String.raw`^${comment}\s*${dots}(?:.*${dots})?\s*${closing}$`);
const wordy =
  "(?:rest|remainder) of|(?:remaining|existing|other|previous) (?:code|lines|methods?|functions?|tests|file|content|implementation)|rest (?:is )?(?:unchanged|the same|as (?:is|before))|same as (?:before|above)|(?:is |remains? )?unchanged$|omitted";
const worded = new RegExp(String.raw`^${comment}[\s([-]*(?:the |all )?(?:${wordy})\b.{0,60}$`, "i");

/** True for a line that may stand for omitted lines, such as `// ...`. The line may also be a real line of the file. */
export function isElisionLine(line: string): boolean {
  const text = line.trim();
  return bare.test(text) || dotted.test(text) || worded.test(text);
}

/** True for a comment that says in words or signs that lines are omitted. New code rarely contains such a comment. */
function isLazyLine(line: string): boolean {
  const text = line.trim();
  return lazy.test(text) || worded.test(text);
}

/**
 * Replaces elision comments (`// ... rest unchanged`) with the original's lines. Keeps such a comment if the file or
 * the original contains it. Returns undefined if the elided lines are ambiguous.
 */
export function fillReplacement(
  file: readonly string[],
  original: readonly string[],
  replacement: readonly string[],
): readonly string[] | undefined {
  const known = new Set([...file, ...original].map((line) => line.trim()));
  const filled: string[] = [];
  for (const [index, line] of replacement.entries()) {
    if (!isLazyLine(line) || known.has(line.trim())) filled.push(line);
    else {
      const meant = linesBetween(
        original,
        neighbour(replacement, index, -1),
        neighbour(replacement, index, 1),
      );
      if (meant === undefined) return undefined;
      filled.push(...meant);
    }
  }
  return filled;
}

/** The nearest non-blank line in a direction; undefined at the end. */
function neighbour(lines: readonly string[], index: number, step: 1 | -1): string | undefined {
  for (let at = index + step; at >= 0 && at < lines.length; at += step) {
    if (!isBlank(lines[at] ?? "")) return lines[at]?.trim();
  }
  return undefined;
}

function linesBetween(
  lines: readonly string[],
  above: string | undefined,
  below: string | undefined,
): readonly string[] | undefined {
  const placesOf = (wanted: string): number[] =>
    lines.flatMap((line, index) => (line.trim() === wanted ? [index] : []));
  const starts = above === undefined ? [-1] : placesOf(above);
  const ends = below === undefined ? [lines.length] : placesOf(below);
  const [start, end] = [starts[0], ends[0]];
  const isClear = starts.length === 1 && ends.length === 1 && start !== undefined && end !== undefined;
  return isClear && start < end ? lines.slice(start + 1, end) : undefined;
}

const mostChains = 64;

/** Finds the places in a file that contain the original's lines in order, with any lines at the original's elisions. */
export function findElided(file: readonly string[], original: readonly string[]): Alignment[] {
  const pieces = piecesOf(original);
  if (pieces.length === 0) return [];
  for (const form of [withoutTrail, withoutIndent, withoutSpace] satisfies LineForm[]) {
    const found = pieces.map(({ lines }) => findSequence(file, lines, form));
    const isTold = pieces.every(({ lines }) => lines.filter((line) => /[\p{L}\p{N}]/u.test(line)).length > 1);
    const all = chain(found);
    // A line or a brace alone can occur in many places: the choice is clear only where it makes no difference.
    const chains = isTold ? nearest(all) : all;
    if (chains.length > 0 && chains.length <= mostChains)
      return chains.map((parts) => joinPieces(original.length, pieces, parts));
  }
  return [];
}

interface Piece {
  /** Index of the piece's first line in the original. */
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

/** All sequences of places, one place per piece, each after the previous one. Empty if there are too many. */
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
  return chains;
}

/** Keeps a chain only if no chain with the same beginning, and no chain with the same end, is shorter. */
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
