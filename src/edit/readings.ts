/**
 * Lists the possible meanings of a block's two texts. After each meaning as written, lists meanings that omit foreign
 * text, such as line numbers.
 */
import type { ReplaceEdit } from "./contract.ts";
import { isBlank, linesOf } from "./text-lines.ts";

/** One possible meaning of an edit: its original and replacement, as lines. */
export interface Reading {
  readonly original: readonly string[];
  readonly replacement: readonly string[];
  /** True if this reading replaced entities such as `&lt;` with their characters. */
  readonly isUnescaped?: boolean;
}

/** Other possible meanings, the likeliest last. */
type Cleaning = (reading: Reading) => readonly Reading[];

export function readingsOf(edit: ReplaceEdit): Reading[] {
  const written = [edit, ...(edit.others ?? [])].map(({ original, replacement }) => ({
    original: linesOf(original),
    replacement: linesOf(replacement),
  }));
  const readings: Reading[] = [];
  for (const reading of written) {
    readings.push(reading);
    let latest: Reading = reading;
    for (const clean of [withoutFences, withoutNumbers, withoutEscapes, withoutSigns] satisfies Cleaning[]) {
      const cleaned = clean(latest);
      latest = cleaned.at(-1) ?? latest;
      readings.push(...cleaned);
    }
  }
  return readings.map((reading) => unescapeNew(reading) ?? reading);
}

const fence = /^\s*(?:`{3,}|~{3,})[\w.+/-]*\s*$/;

/** Removes fences inside the block. One of the two texts, or both, may have fences. */
function withoutFences({ original, replacement }: Reading): Reading[] {
  const inner = (lines: readonly string[]): readonly string[] =>
    fence.test(lines[0] ?? "") && fence.test(lines.at(-1) ?? "") ? lines.slice(1, -1) : lines;
  const cleaned = { original: inner(original), replacement: inner(replacement) };
  return cleaned.original === original && cleaned.replacement === replacement ? [] : [cleaned];
}

/** Line numbers as editors and tools show them: `12: `, `  12→`, `12 | `, `[12] `, `L12: `. */
const numberForms: readonly RegExp[] = [
  /^\s*L?(\d+)\s?:/,
  /^\s*(\d+)\t/,
  /^\s*(\d+)\s*→/,
  /^\s*(\d+)\s?[|│]/,
  /^\s*\[(\d+)\]/,
  /^\s*(\d+)(?=\s|$)/,
];

function withoutNumbers({ original, replacement }: Reading): Reading[] {
  for (const form of numberForms) {
    const bare = stripNumbers(original, form, true);
    if (bare === undefined) continue;
    const fresh = stripNumbers(replacement, form, false) ?? replacement;
    // If each line has a space after its number, the space may belong to the number.
    const isSpaced = bare.every((line) => line === "" || line.startsWith(" "));
    const shorter = { original: unspace(bare), replacement: fresh === replacement ? fresh : unspace(fresh) };
    return [{ original: bare, replacement: fresh }, ...(isSpaced ? [shorter] : [])];
  }
  return [];
}

function unspace(lines: readonly string[]): string[] {
  return lines.map((line) => line.replace(/^ /, ""));
}

function stripNumbers(lines: readonly string[], form: RegExp, isCounted: boolean): string[] | undefined {
  const matches = lines.map((line) => form.exec(line));
  const isEach = lines.every((line, index) => isBlank(line) || matches[index] !== null);
  const numbers = matches.flatMap((match) => (match === null ? [] : [Number(match[1])]));
  const isRising = numbers.every((n, index) => index === 0 || n > (numbers[index - 1] ?? 0));
  if (numbers.length === 0 || !isEach || (isCounted && !isRising)) return undefined;
  return lines.map((line, index) => line.slice(matches[index]?.[0].length ?? 0));
}

const entities: readonly (readonly [RegExp, string])[] = [
  [/&lt;/g, "<"],
  [/&gt;/g, ">"],
  [/&quot;/g, '"'],
  [/&#0?39;|&apos;|&#x27;/g, "'"],
  [/&amp;/g, "&"],
];
const entity = /&(?:lt|gt|amp|quot|apos|#0?39|#x27);/;

function unescapeLine(line: string): string {
  return entities.reduce((text, [form, character]) => text.replace(form, character), line);
}

function withoutEscapes({ original, replacement }: Reading): Reading[] {
  if (!original.some((line) => entity.test(line))) return [];
  return [{ original: original.map(unescapeLine), replacement: replacement.map(unescapeLine) }];
}

/**
 * Unescapes the new lines even if the original contains nothing to escape. Requires an entity outside quotes, or one
 * that is itself escaped. Returns undefined if a bare `<`, `>` or `&` shows that the author does not escape.
 */
function unescapeNew({ original, replacement }: Reading): Reading | undefined {
  if (original.some((line) => /[<>&]/.test(line))) return undefined;
  const isBare = replacement.some((line) => /[<>]|&(?!(?:lt|gt|amp|quot|apos|#0?39|#x27);)/.test(line));
  const isTwice = replacement.some((line) => /&amp;(?:lt|gt|amp|quot|#)/.test(line));
  const isCode = isTwice || replacement.some((line) => entity.test(withoutStrings(line)));
  return isBare || !isCode
    ? undefined
    : { original, replacement: replacement.map(unescapeLine), isUnescaped: true };
}

/** Comments whose documentation may contain HTML, and therefore entities. */
const documentation = /^\s*(?:\*|\/\*\*|\/\/[/!])/;

/**
 * True if new lines contain entities such as `&lt;` that the author may have escaped by mistake. This is unclear if the
 * edit has no bare `<`, `>` or `&`, and the file has no entity.
 */
export function isDoubtfullyEscaped(file: readonly string[], reading: Reading): boolean {
  const { original, replacement, isUnescaped = false } = reading;
  const isNew = replacement.some(
    (line) => entity.test(line) && (!documentation.test(line) || line.includes("&lt;/")),
  );
  if (!isNew || isUnescaped || original.some((line) => entity.test(line))) return false;
  const isBare = [...original, ...replacement].some((line) =>
    /[<>]|&(?!(?:lt|gt|amp|quot|apos|#0?39|#x27);)/.test(line),
  );
  return !isBare && !file.some((line) => entity.test(line));
}

/** Removes strings and comments, which may contain entities on purpose. */
function withoutStrings(line: string): string {
  if (/^\s*(?:\*|\/\/|\/\*|#|--|<!--)/.test(line)) return "";
  return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
}

/** Removes leftover diff signs: `-` before removed lines, `+` before added lines. */
function withoutSigns({ original, replacement }: Reading): Reading[] {
  const isSigned = (lines: readonly string[], sign: string): boolean =>
    lines.some((line) => line.startsWith(sign)) &&
    lines.every((line) => isBlank(line) || line.startsWith(sign) || line.startsWith(" "));
  if (!isSigned(original, "-") || !(isSigned(replacement, "+") || replacement.every(isBlank))) return [];
  const strip = (lines: readonly string[]): string[] => lines.map((line) => line.slice(1));
  return [{ original: strip(original), replacement: strip(replacement) }];
}
