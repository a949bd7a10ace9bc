/**
 * Compares a file's uses before and after a change. Unchanged uses above or below the changed part keep their targets.
 */
import type { Reference } from "../../domain/code-symbols.ts";
import { decodeReference, type EncodedReferences, numbersPerReference } from "../store/facts.ts";

/**
 * The uses in one version of a file. `definitions` lists entity numbers; a reference's `within` is an index into it.
 */
export interface Uses {
  readonly encoded: EncodedReferences;
  readonly definitions: readonly number[];
}

export interface UsesChange {
  /** `placeNumber` of the old uses whose edges are no longer valid. */
  readonly stale: readonly number[];
  /** The uses to resolve. */
  readonly fresh: readonly Reference[];
  /** The `placeNumber` of the first old use after the change; `Number.MAX_SAFE_INTEGER` if there is none. */
  readonly movedFrom: number;
}

/**
 * Facts about a change: the shift of the lines after it, and the affected texts and definitions. Millwright resolves a
 * use with an affected text or definition again, even if the use itself is unchanged.
 */
export interface UsesQuestion {
  /** Number of lines that the change adds, minus the number that it removes. */
  readonly moved: number;
  readonly isAffectedText: (text: string) => boolean;
  /** True if the definition with this index, or one around it, has changed. */
  readonly isAffectedWithin: (index: number) => boolean;
}

const columnsOfLine = 2 ** 20;

/** Converts a place to a number. The numbers have the order of the places in the text. */
export function placeNumber({ line, column }: { readonly line: number; readonly column: number }): number {
  return line * columnsOfLine + column;
}

/** The `placeNumber` of an edge's row, in SQL. */
export const placeOfRow = `line * ${columnsOfLine} + column`;

const [name, receiver, arity, line, column, within, owner, receiverType, headType] = [
  1, 2, 3, 4, 5, 6, 7, 8, 9,
];
const texts = [name, receiver, owner, receiverType, headType];
const rest = [0, arity, column];

/**
 * Compares the uses in two versions of a file. Undefined if two uses of one version are at the same place: an edge's
 * row then does not identify its use.
 */
export function compareUses(old: Uses, now: Uses, question: UsesQuestion): UsesChange | undefined {
  if (!areInOrder(old.encoded) || !areInOrder(now.encoded)) return undefined;
  const isSame = openComparison(old, now);
  const [oldCount, newCount] = [countOf(old.encoded), countOf(now.encoded)];
  const least = Math.min(oldCount, newCount);
  let first = 0;
  while (first < least && isSame(first, first, 0)) first++;
  let last = 0;
  while (last < least - first && isSame(oldCount - 1 - last, newCount - 1 - last, question.moved)) last++;
  const isAffected = openAffected(now.encoded, question);
  const stale: number[] = [];
  const fresh: Reference[] = [];
  for (let index = first; index < oldCount - last; index++) stale.push(placeAt(old.encoded, index));
  for (let index = 0; index < newCount; index++) {
    const isKept = index < first || index >= newCount - last;
    if (isKept && !isAffected(index)) continue;
    if (isKept) stale.push(placeAt(old.encoded, index < first ? index : index + oldCount - newCount));
    fresh.push(decodeReference(now.encoded, index * numbersPerReference));
  }
  const movedFrom = last === 0 ? Number.MAX_SAFE_INTEGER : placeAt(old.encoded, oldCount - last);
  return { stale, fresh, movedFrom };
}

function countOf({ r }: EncodedReferences): number {
  return r.length / numbersPerReference;
}

function numberAt({ r }: EncodedReferences, index: number, which: number): number {
  return r[index * numbersPerReference + which] ?? -1;
}

function placeAt(uses: EncodedReferences, index: number): number {
  return placeNumber({ line: numberAt(uses, index, line), column: numberAt(uses, index, column) });
}

function areInOrder(uses: EncodedReferences): boolean {
  let before = -1;
  for (let index = 0; index < countOf(uses); index++) {
    const place = placeAt(uses, index);
    if (place <= before) return false;
    before = place;
  }
  return true;
}

type IsSame = (old: number, now: number, moved: number) => boolean;

function openComparison(old: Uses, now: Uses): IsSame {
  const places = new Map(now.encoded.s.map((text, at) => [text, at]));
  const textNow = old.encoded.s.map((text) => places.get(text));
  return (a, b, moved) => {
    const [before, after] = [old.encoded, now.encoded];
    if (numberAt(before, a, line) + moved !== numberAt(after, b, line)) return false;
    for (const which of rest) if (numberAt(before, a, which) !== numberAt(after, b, which)) return false;
    for (const which of texts) {
      const text = numberAt(before, a, which);
      if ((text < 0 ? text : textNow[text]) !== numberAt(after, b, which)) return false;
    }
    return old.definitions[numberAt(before, a, within)] === now.definitions[numberAt(after, b, within)];
  };
}

function openAffected(uses: EncodedReferences, question: UsesQuestion): (index: number) => boolean {
  const affected = uses.s.map(question.isAffectedText);
  return (index) =>
    texts.some((which) => affected[numberAt(uses, index, which)] === true) ||
    question.isAffectedWithin(numberAt(uses, index, within));
}
