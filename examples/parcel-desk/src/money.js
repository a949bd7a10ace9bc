import { FormatError } from "./errors.js";

/**
 * Money is a whole number of cents throughout the program, and a rate is a
 * whole number of basis points (1900 is 19 %), so that no sum depends on how
 * a fraction happens to be represented.
 */

const AMOUNT = /^(-?)(\d+)(?:\.(\d{2}))?$/;

/**
 * Reads an amount such as `12.50` or `7`.
 *
 * @param {string} text
 * @returns {number} cents
 */
export function parseMoney(text) {
  const match = AMOUNT.exec(text.trim());
  if (match === null) throw new FormatError(`"${text}" is not an amount`);
  const [, sign, units, cents = "0"] = match;
  const amount = Number(units) * 100 + Number(cents);
  return sign === "-" ? -amount : amount;
}

/**
 * Writes an amount with two decimals and thousands set apart.
 *
 * @param {number} cents
 * @returns {string} for example `1 234.50`
 */
export function formatMoney(cents) {
  const sign = cents < 0 ? "-" : "";
  const absolute = Math.abs(cents);
  const units = String(Math.floor(absolute / 100)).replace(/\B(?=(\d{3})+$)/g, " ");
  return `${sign}${units}.${String(absolute % 100).padStart(2, "0")}`;
}

/** Adds up amounts; nothing adds up to zero. */
export function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0);
}

/**
 * A share of an amount, rounded half away from zero.
 *
 * @param {number} cents
 * @param {number} basisPoints 100 basis points are one percent
 */
export function share(cents, basisPoints) {
  const rounded = Math.round((Math.abs(cents) * basisPoints) / 10_000);
  return cents < 0 ? 0 - rounded : rounded;
}

/**
 * Splits an amount in proportion to weights without losing a cent: whole
 * cents first, then one cent each to those who lost the largest fraction.
 *
 * @param {number} cents an amount that is not negative
 * @param {number[]} weights at least one of them above zero
 * @returns {number[]} one share per weight, adding up to `cents`
 */
export function allocate(cents, weights) {
  const whole = sum(weights);
  if (whole <= 0) throw new RangeError("an amount cannot be split over nothing");

  const exact = weights.map((weight) => (cents * weight) / whole);
  const shares = exact.map(Math.floor);
  const left = cents - sum(shares);
  const byFraction = exact
    .map((value, index) => ({ index, fraction: value - Math.floor(value) }))
    .sort((a, b) => b.fraction - a.fraction || a.index - b.index);
  for (const { index } of byFraction.slice(0, left)) shares[index] += 1;
  return shares;
}
