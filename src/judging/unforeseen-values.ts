/**
 * Chooses a value that a test does not expect, and that a patch cannot foresee. It is a result that the test's failure
 * shows, or a random value. A shown result reveals an equality that also accepts the base's wrong result: it passes
 * with both values. Pure.
 */
import { withoutColours } from "../base/terminal-text.ts";
import type { LiteralEdit } from "./vary-tests.ts";

/** A chosen value. `isShown`: true if a message shows the value. */
export interface Chosen {
  readonly text: string;
  readonly isShown: boolean;
}

export interface Choice {
  /** Messages of the test's failures. They may show results. */
  readonly shown: readonly string[];
  /**
   * True if an earlier round already changed the expected value. A message that contains the original value then shows
   * an honest result.
   */
  readonly isAgain: boolean;
  /** The assertion's line. Values in this line do not count as results. */
  readonly code: string;
  /** True for a part of an object or list that restricts its value, such as a day of a month. */
  readonly isPart: boolean;
  /** True if a minus precedes the number. */
  readonly isNegative: boolean;
  /** Returns a random whole number: at least 0 and below the given one. */
  readonly pick: (below: number) => number;
}

export interface Contradiction extends LiteralEdit {
  /** True if a message of the test's failure shows the new value. */
  readonly isShown?: true;
  /** True for an edit in a row of a table. `line` is the assertion's line, which a row may fail to reach. */
  readonly isRow?: true;
}

/** Returns how to choose the values at a line. */
export type ChoiceAt = (line: number) => Omit<Choice, "isPart" | "isNegative">;

const number = /(?<![\w.-])-?\d{1,15}(?:\.\d{1,15})?(?![\w.]*\d|\w)/g;

/** Maximum number of values to choose from: `crypto.randomInt` requires fewer than 2 ** 48. */
const mostNumbers = 2 ** 47;

/** The largest values of the usual types of whole numbers. */
const limits = [127, 255, 32_767, 65_535, 2_147_483_647];

/** Chooses a number. Undefined for a number in an unknown form, such as `0x7`. */
export function unforeseenNumber(written: string, choice: Choice): Chosen | undefined {
  const [, digits = "", fraction = "", suffix = ""] =
    /^(\d{1,15})(\.\d{1,9})?((?:[a-zA-Z]\w*)?)$/.exec(written) ?? [];
  if (digits === "" || /^0[xXbBoO]/.test(written) || (fraction !== "" && suffix !== "")) return undefined;
  const shown = shownNumbers(digits + fraction, choice).find(
    (value) => fraction !== "" || Number.isInteger(value),
  );
  if (shown !== undefined && !choice.isPart)
    return { text: `${spellNumber(shown, fraction !== "")}${suffix}`, isShown: true };
  const random =
    fraction === "" ? `${randomNumber(Number(digits), choice)}${suffix}` : `${1 + choice.pick(9)}${written}`;
  return { text: random, isShown: false };
}

/**
 * Returns the values that the line does not contain, and then the others, because a result may equal an input.
 * `isOnly`: without the others.
 */
function outsideFirst<T>(all: readonly T[], isInLine: (value: T) => boolean, isOnly: boolean): T[] {
  return [...all.filter((each) => !isInLine(each)), ...(isOnly ? [] : all.filter(isInLine))];
}

/**
 * Returns the numbers in the messages that differ from the written number. Negates them if a minus precedes the written
 * number.
 */
function shownNumbers(written: string, { shown, code, isNegative, isAgain }: Choice): number[] {
  const value = Number(written);
  const own = new Set((code.match(number) ?? []).map((each) => Math.abs(Number(each))));
  return shown
    .map((text) => (withoutColours(text).match(number) ?? []).map((each) => Number(each)))
    .filter((all) => !isAgain || !all.some((each) => isNear(Math.abs(each), written)))
    .flatMap((all) => outsideFirst(all, (each) => own.has(Math.abs(each)), isAgain))
    .map((each) => (isNegative ? -each : each))
    .filter((each) => each !== value && Number.isSafeInteger(Math.trunc(each)) && !/e/.test(String(each)));
}

/** True for a result so near the written value that a correct patch may return it and a tolerance may accept it. */
function isNear(result: number, written: string): boolean {
  const value = Number(written);
  const decimals = written.split(".")[1]?.length ?? 0;
  const isRounded = decimals > 0 && result.toFixed(decimals) === value.toFixed(decimals);
  return isRounded || Math.abs(result - value) <= value / 100;
}

function spellNumber(value: number, isFraction: boolean): string {
  const text = isFraction && Number.isInteger(value) ? `${value}.0` : String(value);
  return value < 0 ? `(${text})` : text;
}

function randomNumber(value: number, { isPart, pick }: Choice): number {
  if (isPart && value > 2) return 1 + pick(Math.min(value - 1, mostNumbers));
  const limit = Math.min(limits.find((each) => value <= each) ?? value, 2 * value + 9, mostNumbers);
  const chosen = 1 + pick(limit - 1);
  return chosen < value ? chosen : value === limit ? value - 1 : chosen + 1;
}

/**
 * Chooses a number that `abs(f(1) - 25) < 0.1` does not accept. The number is more than two tolerances away, because a
 * correct result may lie one tolerance away. Undefined if the messages show none, or if a minus precedes the written
 * number.
 */
export function unforeseenDistance(written: string, tolerance: string, choice: Choice): string | undefined {
  const [value, most] = [Number(written), Number(tolerance)];
  if (Number.isNaN(value) || Number.isNaN(most) || choice.isNegative) return undefined;
  const found = shownNumbers(written, choice).find((each) => Math.abs(each - value) > 2 * most);
  return found === undefined ? undefined : spellNumber(found, written.includes("."));
}

const letters = "abcdefghijklmnopqrstuvwxyz";

/** Chooses the text between the quotes of a literal. The text contains no quotes and no escapes. */
export function unforeseenText(inner: string, choice: Choice): Chosen {
  const shown = choice.isPart ? undefined : shownTexts(inner, choice)[0];
  return { text: shown ?? randomText(inner, choice), isShown: shown !== undefined };
}

function randomText(inner: string, choice: Choice): string {
  const last = /^(.*?)(\d)(\D*)$/s.exec(inner);
  if (last !== null) {
    const [, before = "", digit = "", after = ""] = last;
    // Never 0: `1.50` and `1.5` may be equal.
    const others = [..."123456789"].filter((each) => each !== digit);
    return `${before}${others[choice.pick(others.length)] ?? ""}${after}`;
  }
  const word = [0, 0, 0].map(() => letters[choice.pick(letters.length)] ?? "").join("");
  const middle = Math.ceil(inner.length / 2);
  return `${inner.slice(0, middle)}${word}${inner.slice(middle)}`;
}

function shownTexts(inner: string, { shown, code, isAgain }: Choice): string[] {
  const found = shown
    .map(withoutColours)
    .filter((text) => !isAgain || !text.includes(inner))
    .flatMap((text) => [...text.matchAll(/(["'`])([^"'`\\\n${}#%]{1,200})\1/g)])
    .map(([, , each = ""]) => each)
    .filter((each) => each !== inner);
  return outsideFirst(found, (each) => code.includes(each), isAgain);
}
