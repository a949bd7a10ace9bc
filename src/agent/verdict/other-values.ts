/** Chooses other values for a literal of a test, to see whether a patch repairs more than this one value. Pure. */
import { hashText } from "../../base/hash.ts";
import { readPlainString, type WrittenLiteral } from "../../judging/vary-tests.ts";
import type { ValueKey } from "../review/texts/value-keys.ts";

/** The values that a patch adds, and that no sentence names. */
export type Added = ReadonlySet<ValueKey>;

/**
 * A value of at least `least` may share a narrow range with its neighbours. They differ from the value by at most the
 * value divided by `part`.
 */
const narrow = { least: 100, part: 50 };

/** Numbers by which honest code divides, because they are sizes of units. */
const units = /^(?:[1-9]0+|4|8|12|16|24|32|64|128|256|365|1024|86400|3600)$/;

/**
 * Returns other whole numbers: neighbours, another magnitude, and two unpredictable numbers. Omits numbers that a
 * special case may include, because they show no rule. These are numbers that the patch adds, multiples of the value if
 * the patch adds the value, and near neighbours of the value if the patch adds one of them.
 */
export function otherNumbers(value: number, added: Added): number[] {
  const bounds = [...added].flatMap((key) => (key.startsWith("n:") ? [Number(key.slice(2))] : []));
  const isNear = (one: number): boolean =>
    value >= narrow.least && Math.abs(one - value) <= value / narrow.part;
  const hasBound = bounds.some((bound) => bound !== value && isNear(bound));
  const isMultiple = added.has(`n:${value}`) && value > 2 && !units.test(String(value));
  const isOwn = (one: number): boolean =>
    added.has(`n:${one}`) || (isMultiple && one % value === 0) || (hasBound && isNear(one));
  const chance = Number.parseInt(hashText(`${value} ${[...added].join(" ")}`).slice(0, 6), 16);
  const far = value + 3 + (chance % 17);
  const wide = value + Math.ceil(value / 4) + (chance % 5);
  const below = value - Math.ceil(value / 4);
  const all = [value + 1, value - 1, 2 * value, 2 * value + 1, far, below, 0, wide];
  return [...new Set(all)].filter((one) => one !== value && one >= 0 && !isOwn(one));
}

/**
 * Returns other texts: with other numbers and letters, shorter, and longer. Omits texts of the same length if the patch
 * adds this length.
 */
export function otherTexts(inner: string, added: Added): string[] {
  const numbers = [...inner.matchAll(/(?<![\w.])\d{1,9}(?![\d.])/g)];
  const counted = numbers.flatMap(({ index, 0: written }) =>
    otherNumbers(Number(written), added)
      .slice(0, 1)
      .map((one) => inner.slice(0, index) + one + inner.slice(index + written.length)),
  );
  const all = [
    ...counted.slice(0, 2),
    shiftText(inner, 1),
    inner.slice(1),
    inner.slice(0, -1),
    `${inner}${inner}`,
    `${inner} `,
    ` ${inner}`,
  ];
  const isOwn = (one: string): boolean =>
    added.has(`t:${one}`) || (added.has(`n:${inner.length}`) && one.length === inner.length);
  return [...new Set(all)].filter((one) => one !== inner && !isOwn(one));
}

/** Shifts letters and digits by some places. The text keeps its form. */
export function shiftText(text: string, by: number): string {
  const move = (sign: string, first: string, count: number): string =>
    String.fromCharCode(first.charCodeAt(0) + ((sign.charCodeAt(0) - first.charCodeAt(0) + by) % count));
  return text.replaceAll(/[a-zA-Z0-9]/g, (sign) =>
    /[a-z]/.test(sign) ? move(sign, "a", 26) : /[A-Z]/.test(sign) ? move(sign, "A", 26) : move(sign, "0", 10),
  );
}

/**
 * A part of a literal, as written, and other texts for its place. The part is the literal itself or a piece of its
 * text.
 */
export interface OtherTexts {
  /** The part's offsets in the literal; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  readonly replacements: readonly string[];
}

const wholeNumber = /^(\d[\d_]{0,11})((?:[iuf](?:8|16|32|64|128|size)|[lLnuU]{1,2})?)$/;
const fraction = /^(\d{1,6})\.(\d{1,6})$/;

/** Lists the parts to vary: those that the patch names come first, then the whole literal. */
export function listOthers(
  { role, written }: Pick<WrittenLiteral, "role" | "written">,
  names: ReadonlySet<string>,
  added: Added,
): OtherTexts[] {
  const part = (from: number, to: number, replacements: readonly string[]): OtherTexts[] =>
    replacements.length === 0 ? [] : [{ from, to, replacements }];
  const whole = (replacements: readonly string[]): OtherTexts[] => part(0, written.length, replacements);
  if (role === "number") return whole(numbersFor(written, added));
  if (role === "word")
    return whole(otherTexts(written, added).filter((text) => /^[\w.,:=+-]{2,200}$/.test(text)));
  const numbers = [...written.matchAll(/(?<![\w.])\d{1,9}(?![\d.])/g)].flatMap(({ index, 0: digits }) =>
    part(
      index,
      index + digits.length,
      names.has(digits) ? otherNumbers(Number(digits), added).map(String) : [],
    ),
  );
  const plain = readPlainString(written);
  if (plain === undefined) return numbers;
  const texts = otherTexts(plain.inner, added).map((text) => `${plain.open}${text}${plain.close}`);
  return [...[...names].flatMap((name) => shiftPart(name, written)), ...numbers, ...whole(texts)];
}

function numbersFor(written: string, added: Added): string[] {
  const [, digits, suffix = ""] = wholeNumber.exec(written) ?? [];
  if (digits !== undefined)
    return otherNumbers(Number(digits.replaceAll("_", "")), added).map((one) => `${one}${suffix}`);
  const [, , decimals] = fraction.exec(written) ?? [];
  if (decimals === undefined) return [];
  const value = Number(written);
  const others = [value + 1, 2 * value, value / 2, value + 10].map((one) => one.toFixed(decimals.length));
  return [`${written}5`, `1${written}`, ...others].filter((one) => !added.has(`n:${Number(one)}`));
}

const shifts = [1, 2, 3, 5];

/** Varies the part of a text that has the same letters and digits as the name, in whatever spelling: `h_t_t_p`, `HTTP`. */
function shiftPart(name: string, written: string): OtherTexts[] {
  const letters = name.replaceAll(/[^\p{L}\p{N}]/gu, "").toLowerCase();
  const from = letters.length < 2 ? -1 : written.toLowerCase().indexOf(letters);
  if (from < 0 || /^\d+$/.test(letters)) return [];
  const part = written.slice(from, from + letters.length);
  return [{ from, to: from + part.length, replacements: shifts.map((by) => shiftText(part, by)) }];
}
