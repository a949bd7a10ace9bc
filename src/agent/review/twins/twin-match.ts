/** Finds places whose tokens equal a piece of code, apart from the names of variables. Pure. */
import type { CodeToken } from "../../../syntax/code-tokens.ts";

/** A range of tokens, by their indexes; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * A piece of code. `cut`: for an insertion, the index of the token before which the patch inserts; otherwise undefined.
 */
export interface Piece extends Range {
  readonly cut: number | undefined;
}

export interface Match {
  /** The range of the piece itself. */
  readonly place: Range;
  /** The total worth of the equal tokens (see `worthOf`). It is high if a coincidence is unlikely. */
  readonly worth: number;
  /** The lower worth of the two sides, before and after the cut. */
  readonly aside: number;
}

/** Maximum number of tokens to compare on each side. */
const farthest = 150;

/** Finds all places in `there` that equal the piece of `here`. Extends each place over the equal tokens around it. */
export function matchPiece(here: readonly CodeToken[], piece: Piece, there: readonly CodeToken[]): Match[] {
  const anchor = chooseAnchor(here, piece, there);
  return anchor === undefined
    ? []
    : anchor.places.flatMap((at) => extend(here, piece, there, at - (anchor.index - piece.start)) ?? []);
}

interface Anchor {
  /** The token's index in `here`. */
  readonly index: number;
  /** Indexes of the equal tokens in `there`. */
  readonly places: readonly number[];
}

/**
 * Returns the piece's rarest token. Undefined if a token occurs nowhere in `there`, or if the piece contains only
 * variables.
 */
function chooseAnchor(
  here: readonly CodeToken[],
  { start, end }: Range,
  there: readonly CodeToken[],
): Anchor | undefined {
  const places = new Map<string, number[]>();
  for (let index = start; index < end; index += 1) {
    const token = here[index];
    if (token !== undefined && !token.isVariable) places.set(token.text, []);
  }
  for (const [index, { text, isVariable }] of there.entries()) if (!isVariable) places.get(text)?.push(index);
  let best: Anchor | undefined;
  for (let index = start; index < end; index += 1) {
    const found = places.get(here[index]?.text ?? "");
    if (here[index]?.isVariable === true || found === undefined) continue;
    if (found.length === 0) return undefined;
    if (best === undefined || found.length < best.places.length) best = { index, places: found };
  }
  return best;
}

function extend(
  here: readonly CodeToken[],
  piece: Piece,
  there: readonly CodeToken[],
  at: number,
): Match | undefined {
  const names = new Names();
  const known = new Map<string, number>();
  const length = piece.end - piece.start;
  if (at < 0 || at + length > there.length) return undefined;
  // Before and after the cut.
  const worth: [number, number] = [0, 0];
  for (let step = 0; step < length; step += 1) {
    const token = here[piece.start + step];
    if (!names.areEqual(token, there[at + step])) return undefined;
    worth[piece.start + step < (piece.cut ?? piece.end) ? 0 : 1] += worthOf(token, known);
  }
  let right = 0;
  for (; right < farthest; right += 1) {
    const token = here[piece.end + right];
    if (!names.areEqual(token, there[at + length + right])) break;
    worth[1] += worthOf(token, known);
  }
  let left = 0;
  for (; left < farthest; left += 1) {
    const token = here[piece.start - 1 - left];
    if (!names.areEqual(token, there[at - 1 - left])) break;
    worth[0] += worthOf(token, known);
  }
  return {
    place: { start: at, end: at + length },
    worth: worth[0] + worth[1],
    aside: Math.min(...worth),
  };
}

/** Maps variables to their other names. Each name must correspond to exactly one other name everywhere. */
class Names {
  readonly #there = new Map<string, string>();
  readonly #here = new Map<string, string>();

  areEqual(here: CodeToken | undefined, there: CodeToken | undefined): boolean {
    if (here === undefined || there === undefined || here.isVariable !== there.isVariable) return false;
    if (!here.isVariable) return here.text === there.text;
    const [known, back] = [this.#there.get(here.text), this.#here.get(there.text)];
    if (known !== undefined || back !== undefined) return known === there.text && back === here.text;
    this.#there.set(here.text, there.text);
    this.#here.set(there.text, here.text);
    return true;
  }
}

const punctuation = /^(?:[()[\]{};,.:]|::|->|=>|&|\?\.)$/;

/**
 * Returns the weight of an equal token: 1 for a member, a callee or a literal, and 0 for punctuation. Keywords,
 * operators and variables' names have less than 1. Each repetition counts half as much as the one before.
 */
function worthOf(token: CodeToken | undefined, known: Map<string, number>): number {
  if (token === undefined || token.isHead || punctuation.test(token.text)) return 0;
  const times = known.get(token.text) ?? 0;
  known.set(token.text, times + 1);
  const full = token.isVariable ? 0.25 : keywords.has(token.text) || !/\w/.test(token.text) ? 0.5 : 1;
  return full / 2 ** times;
}

const keywords: ReadonlySet<string> = new Set(
  (
    "if else elif elsif unless while until for foreach in of do end then loop match switch case when default return yield break continue " +
    "let const var val mut ref fn func function def fun local static public private protected internal final new throw raise try catch " +
    "except finally rescue ensure begin async await self this null nil None true false True False not and or is as impl pub struct class " +
    "int void unsigned char bool boolean string str usize i32 u8 u32 u64 i64"
  ).split(" "),
);
