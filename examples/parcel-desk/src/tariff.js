import { TariffError } from "./errors.js";
import { chargeableWeight } from "./parcel.js";
import { formatWeight } from "./units.js";

/**
 * Prices of one service in one zone, in steps of weight.
 *
 * @typedef {{upTo: number, price: number}[]} Bands grams and cents, light first
 */

/**
 * The band that a weight falls into; a band includes its upper limit.
 *
 * @param {Bands} bands
 * @param {number} grams
 */
export function bandFor(bands, grams) {
  return bands.find((band) => grams <= band.upTo);
}

/**
 * The price of carrying one parcel, before surcharges.
 *
 * @param {Record<string, Record<string, Bands>>} tariff by service, then zone
 * @param {string} service
 * @param {string} zone
 * @param {import("./parcel.js").Parcel} parcel
 * @returns {number} cents
 */
export function basePrice(tariff, service, zone, parcel) {
  const bands = tariff[service]?.[zone];
  if (bands === undefined) throw new TariffError(`No ${service} price for zone ${zone}`);

  const grams = chargeableWeight(parcel);
  const band = bandFor(bands, grams);
  if (band === undefined) {
    throw new TariffError(`No ${service} price for ${formatWeight(grams)} to zone ${zone}`);
  }
  return band.price;
}

/**
 * The services that would take a parcel to a zone, cheapest first.
 *
 * @returns {{service: string, price: number}[]}
 */
export function offers(tariff, zone, parcel) {
  const grams = chargeableWeight(parcel);
  return Object.keys(tariff)
    .map((service) => ({ service, band: bandFor(tariff[service][zone] ?? [], grams) }))
    .filter(({ band }) => band !== undefined)
    .map(({ service, band }) => ({ service, price: band.price }))
    .sort((a, b) => a.price - b.price);
}
