import { TariffError } from "./errors.js";
import { compactPostcode } from "./postcodes.js";

/**
 * @typedef {object} Zone
 * @property {string} id
 * @property {string} label
 * @property {string[]} countries
 * @property {boolean} customs whether parcels need customs papers
 */

/**
 * Finds the zone of an address.
 *
 * @param {Zone[]} zones
 * @param {{country: string}} address
 * @returns {Zone}
 */
export function zoneOf(zones, address) {
  const zone = zones.find(({ countries }) => countries.includes(address.country));
  if (zone === undefined) throw new TariffError(`No zone for country ${address.country}`);
  return zone;
}

/**
 * Whether an address lies where the carrier needs a ferry or a mountain road.
 * Ranges are compared as text, which is right because the postcodes of one
 * country have the same length.
 *
 * @param {Record<string, [string, string][]>} remote ranges of postcodes per
 *   country, first and last
 * @param {{country: string, postcode: string}} address
 */
export function isRemote(remote, address) {
  const code = compactPostcode(address.postcode);
  const ranges = remote[address.country] ?? [];
  return ranges.some(([first, last]) => first <= code && code <= last);
}
