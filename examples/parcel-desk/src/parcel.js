import { TariffError } from "./errors.js";
import { formatSize, formatWeight } from "./units.js";

/**
 * @typedef {object} Parcel
 * @property {number} weight grams on the scale
 * @property {number[]} sides millimetres, longest first
 */

/** Cubic millimetres that are charged like one gram: 5000 cm³ to the kilogram. */
const VOLUME_PER_GRAM = 5000;

/** What the conveyor at the depot takes. */
const LONGEST_SIDE = 2000;
const HEAVIEST = 31_500;

/** Above these a parcel is handled by hand, which costs extra. */
const BULKY_SIDE = 1200;
const BULKY_GIRTH = 3000;

/** Grams that the parcel's volume stands for. */
export function volumetricWeight(parcel) {
  const [length, width, height] = parcel.sides;
  return Math.ceil((length * width * height) / VOLUME_PER_GRAM);
}

/** Grams that are charged: what it weighs or what it takes up, if that is more. */
export function chargeableWeight(parcel) {
  return Math.max(parcel.weight, volumetricWeight(parcel));
}

/** The longest side and once around the other two, in millimetres. */
export function girth(parcel) {
  const [length, width, height] = parcel.sides;
  return length + 2 * (width + height);
}

export function isBulky(parcel) {
  return parcel.sides[0] > BULKY_SIDE || girth(parcel) > BULKY_GIRTH;
}

/**
 * Refuses a parcel that the depot cannot handle.
 *
 * @param {Parcel} parcel
 * @returns {Parcel} the same parcel
 */
export function checkParcel(parcel) {
  if (parcel.weight > HEAVIEST) {
    throw new TariffError(
      `A parcel of ${formatWeight(parcel.weight)} is too heavy; the limit is ${formatWeight(HEAVIEST)}`,
    );
  }
  if (parcel.sides[0] > LONGEST_SIDE) {
    throw new TariffError(
      `A parcel of ${formatSize(parcel.sides)} is too long; the limit is ${LONGEST_SIDE / 10} cm`,
    );
  }
  return parcel;
}
