/** Finds a text's lines in a file, ignoring spaces and blank lines. */
import { isBlank, squeeze } from "./text-lines.ts";

/** For each line of the wanted text, the index (from 0) of the file's matching line; -1 without a match. */
export type Alignment = readonly number[];

export type LineForm = (line: string) => string;

export const withoutTrail: LineForm = (line) => line.trimEnd();
export const withoutIndent: LineForm = (line) => line.trim();
export const withoutSpace: LineForm = squeeze;

/** Finds all places with exactly these lines, blank lines included. Ignores spaces at line ends. */
export function findLines(file: readonly string[], wanted: readonly string[]): Alignment[] {
  const haystack = file.map(withoutTrail);
  const needle = wanted.map(withoutTrail);
  return startsOf(haystack, needle).map((start) => needle.map((_, index) => start + index));
}

/** Finds all places with these lines. Compares the lines in the given form, and ignores blank lines in both texts. */
export function findSequence(
  file: readonly string[],
  wanted: readonly string[],
  form: LineForm,
): Alignment[] {
  const filled = filledLines(file);
  const needle = filledLines(wanted);
  const starts = startsOf(
    filled.map((line) => form(file[line] ?? "")),
    needle.map((line) => form(wanted[line] ?? "")),
  );
  return starts.map((start) => {
    const alignment = wanted.map(() => -1);
    for (const [index, line] of needle.entries()) alignment[line] = filled[start + index] ?? -1;
    return alignBlanks(file, wanted, alignment);
  });
}

function filledLines(lines: readonly string[]): number[] {
  return lines.flatMap((line, index) => (isBlank(line) ? [] : [index]));
}

function startsOf(haystack: readonly string[], needle: readonly string[]): number[] {
  const [first] = needle;
  if (first === undefined) return [];
  const starts: number[] = [];
  for (let start = 0; start + needle.length <= haystack.length; start++) {
    if (haystack[start] !== first) continue;
    if (needle.every((line, index) => haystack[start + index] === line)) starts.push(start);
  }
  return starts;
}

/**
 * Completes an alignment: aligns blank lines between two aligned lines with the file's blank lines at that place, in
 * order.
 */
export function alignBlanks(
  file: readonly string[],
  wanted: readonly string[],
  alignment: readonly number[],
): Alignment {
  const full = [...alignment];
  for (const [index, line] of wanted.entries()) {
    if (!isBlank(line) || full[index] !== -1) continue;
    const previous = index === 0 ? undefined : full[index - 1];
    if (previous === undefined || previous === -1) continue;
    if (previous + 1 < file.length && isBlank(file[previous + 1] ?? "")) full[index] = previous + 1;
  }
  return alignBlanksAbove(file, wanted, full);
}

function alignBlanksAbove(file: readonly string[], wanted: readonly string[], full: number[]): Alignment {
  for (let index = wanted.length - 2; index >= 0; index--) {
    const next = full[index + 1];
    if (!isBlank(wanted[index] ?? "") || full[index] !== -1 || next === undefined || next < 1) continue;
    if (isBlank(file[next - 1] ?? "") && !full.includes(next - 1)) full[index] = next - 1;
  }
  return full;
}
