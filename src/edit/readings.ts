/** What an author may have meant by both texts of a block: as written first, then without what does not belong into a file. */
import type { ReplaceEdit } from "./contract.ts";
import { isBlank, linesOf } from "./text-lines.ts";

/** Both texts of an edit as lines. */
export interface Reading {
  readonly original: readonly string[];
  readonly replacement: readonly string[];
}

type Cleaning = (reading: Reading) => Reading | undefined;

export function readingsOf(edit: ReplaceEdit): Reading[] {
  const written = [edit, ...(edit.others ?? [])].map(({ original, replacement }) => ({
    original: linesOf(original),
    replacement: linesOf(replacement),
  }));
  const readings: Reading[] = [];
  for (const reading of written) {
    const meant = unescapeNew(reading) ?? reading;
    readings.push(meant);
    let latest = meant;
    for (const clean of [withoutFences, withoutNumbers, withoutEscapes, withoutSigns] satisfies Cleaning[]) {
      const cleaned = clean(latest);
      if (cleaned === undefined) continue;
      latest = cleaned;
      readings.push(cleaned);
    }
  }
  return readings;
}

const fence = /^\s*(?:`{3,}|~{3,})[\w.+/-]*\s*$/;

/** Without fences inside the block, which only one of the texts may have. */
function withoutFences({ original, replacement }: Reading): Reading | undefined {
  const inner = (lines: readonly string[]): readonly string[] =>
    fence.test(lines[0] ?? "") && fence.test(lines.at(-1) ?? "") ? lines.slice(1, -1) : lines;
  const cleaned = { original: inner(original), replacement: inner(replacement) };
  return cleaned.original === original && cleaned.replacement === replacement ? undefined : cleaned;
}

/** `12: `, `  12→`, `12 | `, `[12] `, `L12: `: as editors and tools show files. */
const numberForms: readonly RegExp[] = [
  /^\s*L?(\d+)\s?:/,
  /^\s*(\d+)\t/,
  /^\s*(\d+)\s*→/,
  /^\s*(\d+)\s?[|│]/,
  /^\s*\[(\d+)\]/,
  /^\s*(\d+)(?=\s|$)/,
];

function withoutNumbers({ original, replacement }: Reading): Reading | undefined {
  for (const form of numberForms) {
    const cleaned = stripNumbers(original, form, true);
    if (cleaned !== undefined)
      return { original: cleaned, replacement: stripNumbers(replacement, form, false) ?? replacement };
  }
  return undefined;
}

function stripNumbers(lines: readonly string[], form: RegExp, isCounted: boolean): string[] | undefined {
  const matches = lines.map((line) => (isBlank(line) ? undefined : form.exec(line)));
  const found = matches.filter((match) => match !== undefined && match !== null);
  const isEach = lines.every((line, index) => isBlank(line) || matches[index] !== null);
  const numbers = found.map((match) => Number(match[1]));
  const isRising = numbers.every((n, index) => index === 0 || n > (numbers[index - 1] ?? 0));
  if (found.length === 0 || !isEach || (isCounted && !isRising)) return undefined;
  const rests = lines.map((line, index) => line.slice(matches[index]?.[0].length ?? 0));
  // A space that each line has after its number belongs to the number.
  const isSpaced = rests.every(
    (rest, index) => matches[index] == null || rest === "" || rest.startsWith(" "),
  );
  return isSpaced ? rests.map((rest, index) => (matches[index] == null ? rest : rest.slice(1))) : rests;
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

function withoutEscapes({ original, replacement }: Reading): Reading | undefined {
  if (!original.some((line) => entity.test(line))) return undefined;
  return { original: original.map(unescapeLine), replacement: replacement.map(unescapeLine) };
}

/**
 * The original may have nothing that could be escaped while the new lines have. They are meant as code when an entity stands
 * outside of quotes, and no bare character says that the author does not escape.
 */
function unescapeNew({ original, replacement }: Reading): Reading | undefined {
  if (original.some((line) => /[<>&]/.test(line))) return undefined;
  const isBare = replacement.some((line) => /[<>]|&(?!(?:lt|gt|amp|quot|apos|#0?39|#x27);)/.test(line));
  const isCode = replacement.some((line) => entity.test(withoutStrings(line)));
  return isBare || !isCode ? undefined : { original, replacement: replacement.map(unescapeLine) };
}

function withoutStrings(line: string): string {
  return line.replace(/"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""');
}

/** A difference's signs left in: `-` before the lines that go, `+` before those that come. */
function withoutSigns({ original, replacement }: Reading): Reading | undefined {
  const isSigned = (lines: readonly string[], sign: string): boolean =>
    lines.some((line) => line.startsWith(sign)) &&
    lines.every((line) => isBlank(line) || line.startsWith(sign) || line.startsWith(" "));
  if (!isSigned(original, "-") || !(isSigned(replacement, "+") || replacement.every(isBlank)))
    return undefined;
  const strip = (lines: readonly string[]): string[] => lines.map((line) => line.slice(1));
  return { original: strip(original), replacement: strip(replacement) };
}
