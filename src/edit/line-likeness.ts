/** Measures the similarity of two lines, ignoring spaces. */
import { squeeze } from "./text-lines.ts";

export interface LinePrint {
  readonly text: string;
  /** Pairs of neighbouring characters, as numbers, sorted. */
  readonly pairs: readonly number[];
  /** The line's words, numbers and signs, sorted. */
  readonly tokens: readonly string[];
  /** The line's information content: a brace alone has almost none. */
  readonly weight: number;
}

const token = /[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu;

export function printLine(line: string): LinePrint {
  const text = squeeze(line);
  const pairs: number[] = [];
  for (let index = 0; index + 1 < text.length; index++)
    pairs.push(text.charCodeAt(index) * 65536 + text.charCodeAt(index + 1));
  const tokens = line.match(token) ?? [];
  const words = tokens.filter((each) => /[\p{L}\p{N}_$]/u.test(each)).length;
  return {
    text,
    pairs: pairs.sort((a, b) => a - b),
    tokens: tokens.sort(),
    weight: 0.25 + Math.min(words, 6),
  };
}

/** Returns the similarity of two lines, from 0 to 1. It is 1 only if the lines are equal apart from spaces. */
export function likeness(a: LinePrint, b: LinePrint): number {
  if (a.text === b.text) return 1;
  if (isCut(a.text, b.text)) return 0.9;
  const most = Math.max(a.text.length, b.text.length);
  if (Math.min(a.text.length, b.text.length) * 3 < most) return 0;
  const alike = (dice(a.pairs, b.pairs) + dice(a.tokens, b.tokens)) / 2;
  return Math.min(alike, 0.95);
}

/**
 * True if the author's line is a beginning or end of the file's line. It must have at least 15 characters, and more
 * than half of the file's line.
 */
function isCut(author: string, file: string): boolean {
  return (
    author.length >= 15 &&
    author.length * 2 > file.length &&
    (file.startsWith(author) || file.endsWith(author))
  );
}

/** The shared part of two sorted lists (Dice coefficient). */
function dice<T extends number | string>(a: readonly T[], b: readonly T[]): number {
  let shared = 0;
  let i = 0;
  let j = 0;
  while (i < a.length && j < b.length) {
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) break;
    if (left === right) shared++;
    if (left <= right) i++;
    if (right <= left) j++;
  }
  return a.length + b.length === 0 ? 0 : (2 * shared) / (a.length + b.length);
}
