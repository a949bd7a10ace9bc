import { AddressError } from "./errors.js";
import { isServed, normalisePostcode } from "./postcodes.js";

/**
 * @typedef {object} Address
 * @property {string} name
 * @property {string} street with the number of the house
 * @property {string} postcode as printed on a label
 * @property {string} city
 * @property {string} country two letters
 */

/** Characters that fit on one line of a label. */
const LABEL_WIDTH = 40;

function tidy(text) {
  return (text ?? "").trim().replace(/\s+/g, " ");
}

/**
 * Everything that is wrong with an address, so that a clerk need ask only once.
 *
 * @param {Partial<Address>} address
 * @returns {string[]} empty for a good one
 */
export function addressProblems(address) {
  const problems = [];
  for (const field of ["name", "street", "city"]) {
    const value = tidy(address[field]);
    if (value === "") problems.push(`${field} is missing`);
    if (value.length > LABEL_WIDTH) {
      problems.push(`${field} is longer than ${LABEL_WIDTH} characters`);
    }
  }
  const street = tidy(address.street);
  if (street !== "" && !/\d/.test(street)) problems.push("street has no house number");

  const country = tidy(address.country).toUpperCase();
  if (!isServed(country)) {
    problems.push(`country "${country}" is not served`);
  } else if (normalisePostcode(country, tidy(address.postcode)) === null) {
    problems.push(`"${tidy(address.postcode)}" is not a postcode of ${country}`);
  }
  return problems;
}

/**
 * Checks an address and brings it into the form for the label.
 *
 * @param {Partial<Address>} address
 * @returns {Address}
 */
export function normaliseAddress(address) {
  const problems = addressProblems(address);
  if (problems.length > 0) throw new AddressError(`Bad address: ${problems.join("; ")}`);

  const country = tidy(address.country).toUpperCase();
  return {
    name: tidy(address.name),
    street: tidy(address.street),
    postcode: normalisePostcode(country, tidy(address.postcode)),
    city: tidy(address.city),
    country,
  };
}

/**
 * The lines of a label; the country is left out at home.
 *
 * @param {Address} address
 * @param {string} home two letters
 * @returns {string[]}
 */
export function labelLines(address, home) {
  const place = `${address.postcode} ${address.city}`;
  const lines = [address.name, address.street, place];
  return address.country === home ? lines : [...lines, address.country];
}
