/**
 * Varies one literal per test, to create further inputs for the code under test. This is test amplification as in DSpot
 * (Danglot et al., EMSE 2019). A varied test need not pass: Millwright compares its results on two programs.
 */
import { hashText } from "../base/hash.ts";
import { languageOf } from "../languages/source-files.ts";
import { walk } from "../syntax/node.ts";
import { readSource } from "../syntax/read-source.ts";

export interface LiteralEdit {
  /** UTF-16 offsets in the text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The literal's line, from 1. */
  readonly line: number;
}

/** The first and the last line of a test, counted from 1. */
export interface TestLines {
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Varies tests. Each round, counted from 0, gives one edit in each test that has a literal. The edits are in source
 * order and do not overlap. The same text and round always give the same edits. Different rounds change different
 * literals, or the same literals differently; a test's edits repeat once all were used. `isLeft` is true for lines that
 * must stay unchanged.
 */
export async function varyTests(
  path: string,
  text: string,
  tests: readonly TestLines[],
  round: number,
  isLeft: (line: number) => boolean = () => false,
): Promise<LiteralEdit[]> {
  const offers = await listVariations(path, text);
  const edits = tests.flatMap(({ startLine, endLine }) => {
    const own = offers.filter(({ line }) => startLine <= line && line <= endLine && !isLeft(line));
    const order = own
      .map((offer) => ({
        offer,
        key: hashText(`${offer.start - (own[0]?.start ?? 0)} ${offer.replacement}`),
      }))
      .sort((a, b) => (a.key < b.key ? -1 : 1));
    return order.length === 0
      ? []
      : [order[round % order.length]?.offer].filter((each) => each !== undefined);
  });
  const sorted = edits.toSorted((a, b) => a.start - b.start);
  return sorted.filter(({ start }, at) => at === 0 || start >= (sorted[at - 1]?.end ?? 0));
}

/** A literal as written: a number, a string, or a word in a list of words. */
export interface WrittenLiteral {
  readonly role: "number" | "string" | "word";
  readonly written: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
}

/** Lists the literals of a file, in source order. */
export async function listLiterals(path: string, text: string): Promise<WrittenLiteral[]> {
  const source = await readSource(path, text, languageOf);
  if (source === undefined) return [];
  return [...walk(source.tree.root)].flatMap(({ kind, start, end, startLine: line }) => {
    const role = source.dialect.roles[kind];
    const isLiteral = role === "number" || role === "string" || role === "word";
    return isLiteral ? [{ role, written: text.slice(start, end), start, end, line }] : [];
  });
}

/** Lists every variation of every literal of a file, in source order. */
async function listVariations(path: string, text: string): Promise<LiteralEdit[]> {
  return (await listLiterals(path, text)).flatMap(({ role, written, start, end, line }) =>
    variants[role](written).map((replacement) => ({ start, end, replacement, line })),
  );
}

export function applyEdits(text: string, edits: readonly Omit<LiteralEdit, "line">[]): string {
  const sorted = edits.toSorted((a, b) => b.start - a.start).toReversed();
  const parts = sorted.map(
    ({ start, replacement }, at) => text.slice(sorted[at - 1]?.end ?? 0, start) + replacement,
  );
  return parts.join("") + text.slice(sorted.at(-1)?.end ?? 0);
}

/** Returns whole numbers and plain fractions a small step away, which most types can represent. */
function numbersLike(written: string): string[] {
  if (/^\d{1,9}$/.test(written)) {
    const value = Number(written);
    return [value + 1, value - 1, 0, 2 * value].filter((one) => one !== value && one >= 0).map(String);
  }
  return /^\d{1,6}\.\d{1,6}$/.test(written) ? [`${written}5`, `1${written}`] : [];
}

const plain = /^([a-zA-Z]{0,2}["'`])([^"'`\\{}$%\n]{1,200})(["'`])$/;

/**
 * Splits a plain string into its parts. Undefined for a string with escapes, placeholders, or a prefix that changes its
 * meaning. Also undefined for an empty string, a string of more than 200 characters, and a single character in single
 * quotes.
 */
export function readPlainString(
  written: string,
): { readonly open: string; readonly inner: string; readonly close: string } | undefined {
  const [, open = "", inner = "", close = ""] = plain.exec(written) ?? [];
  // A single character may be a character type.
  const isOther = inner === "" || /^f/i.test(open) || (open.endsWith("'") && inner.length === 1);
  return isOther ? undefined : { open, inner, close };
}

function stringsLike(written: string): string[] {
  const read = readPlainString(written);
  if (read === undefined) return [];
  const { open, inner, close } = read;
  const middle = Math.floor(inner.length / 2);
  const forms = [
    inner.slice(1),
    inner.slice(0, -1),
    `${inner}${inner}`,
    `${inner} `,
    ` ${inner}`,
    `${inner.slice(0, middle)}-${inner.slice(middle)}`,
    `${inner.slice(0, middle)}1${inner.slice(middle)}`,
    swapCase(inner),
  ];
  return [...new Set(forms)].filter((form) => form !== inner).map((form) => `${open}${form}${close}`);
}

/** Returns other words for a list, without spaces, escapes or placeholders. */
function wordsLike(written: string): string[] {
  return /^[\w.,:=+-]{2,200}$/.test(written)
    ? [written.slice(1), written.slice(0, -1), `${written}${written}`, swapCase(written)].filter(
        (form) => form !== written,
      )
    : [];
}

function swapCase(text: string): string {
  return [...text]
    .map((sign) => (sign === sign.toLowerCase() ? sign.toUpperCase() : sign.toLowerCase()))
    .join("");
}

const variants = { number: numbersLike, string: stringsLike, word: wordsLike } as const;
