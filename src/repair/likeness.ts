/** How much a change looks like the code around it: identifiers that are at home there, and little text. */
import type { FileContext } from "./file-context.ts";

/** 0..1: the share of letter pairs that two names have in common (Dice's coefficient). */
export function nameLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const first = pairsOf(a);
  const second = pairsOf(b);
  if (first.length === 0 || second.length === 0) return a[0] === b[0] ? 0.5 : 0;
  const rest = [...second];
  let common = 0;
  for (const pair of first) {
    const at = rest.indexOf(pair);
    if (at >= 0) {
      common++;
      rest.splice(at, 1);
    }
  }
  return (2 * common) / (first.length + second.length);
}

function pairsOf(name: string): string[] {
  const lower = name.toLowerCase();
  return Array.from({ length: Math.max(0, lower.length - 1) }, (_, at) => lower.slice(at, at + 2));
}

const identifier = /[A-Za-z_$][\w$]*/g;

/** Identifiers of a piece of code; words in strings count too. */
export function identifiersIn(code: string): string[] {
  return code.match(identifier) ?? [];
}

/**
 * 0..1 for replacing `before` by `after` where `around` is the text of the function: 1 when nothing foreign comes in and
 * the edit is small. A name known to the file but not to the function is half at home.
 */
export function likenessOf(
  context: FileContext,
  around: ReadonlySet<string>,
  before: string,
  after: string,
): number {
  const had = new Set(identifiersIn(before));
  const neutral = context.source.dialect.keywords;
  const added = identifiersIn(after).filter((name) => !had.has(name) && !neutral.includes(name));
  const homes = added.map((name): number =>
    around.has(name) ? 1 : context.frequency.has(name) ? 0.6 : 0.35,
  );
  const home = homes.length === 0 ? 1 : homes.reduce((sum, value) => sum + value, 0) / homes.length;
  const size = changedLength(before, after);
  return home * (0.5 + 0.5 / (1 + size / 24));
}

/** Characters that differ, past what both texts begin and end with. */
export function changedLength(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  return Math.max(before.length, after.length) - head - tail;
}
