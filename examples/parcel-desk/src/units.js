import { FormatError } from "./errors.js";

/** Weights are whole grams and lengths whole millimetres inside the program. */

const GRAMS = { g: 1, kg: 1000, lb: 453.592, oz: 28.3495 };
const MILLIMETRES = { mm: 1, cm: 10, m: 1000, in: 25.4 };

const QUANTITY = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/;

function parseQuantity(text, units, what) {
  const match = QUANTITY.exec(text.trim().toLowerCase());
  const factor = match === null ? undefined : units[match[2]];
  if (factor === undefined) throw new FormatError(`"${text}" is not a ${what}`);
  const value = Number(match[1]) * factor;
  if (value === 0) throw new FormatError(`a ${what} of "${text}" is nothing`);
  return Math.ceil(value - 1e-6);
}

/**
 * Reads a weight such as `750 g`, `2.5kg` or `3 lb`, rounded up to a gram.
 *
 * @param {string} text
 * @returns {number} grams
 */
export function parseWeight(text) {
  return parseQuantity(text, GRAMS, "weight");
}

/**
 * Reads a length such as `30 cm`, rounded up to a millimetre.
 *
 * @param {string} text
 * @returns {number} millimetres
 */
export function parseLength(text) {
  return parseQuantity(text, MILLIMETRES, "length");
}

/**
 * Reads three sides with one unit behind the last, such as `40x30x20 cm`.
 *
 * @param {string} text
 * @returns {number[]} millimetres, longest side first
 */
export function parseSize(text) {
  const match = /^([^a-z]+x[^a-z]+x[^a-z]+?)\s*([a-z]+)$/.exec(text.trim().toLowerCase());
  if (match === null) {
    throw new FormatError(`"${text}" is not a size; write it as 40x30x20 cm`);
  }
  const [, sides, unit] = match;
  return sides
    .split("x")
    .map((side) => parseLength(`${side.trim()} ${unit}`))
    .sort((a, b) => b - a);
}

/** Writes a weight in the unit that people would say. */
export function formatWeight(grams) {
  if (grams < 1000) return `${grams} g`;
  return `${Number((grams / 1000).toFixed(2))} kg`;
}

/** Writes sides in centimetres: `40 x 30 x 20 cm`. */
export function formatSize(sides) {
  return `${sides.map((side) => Number((side / 10).toFixed(1))).join(" x ")} cm`;
}
