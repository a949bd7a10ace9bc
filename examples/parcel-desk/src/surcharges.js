import { share, sum } from "./money.js";
import { isBulky } from "./parcel.js";
import { covers } from "./period.js";
import { isRemote } from "./zones.js";

/**
 * A line of a quote.
 *
 * @typedef {object} Line
 * @property {string} code
 * @property {string} label
 * @property {number} amount cents
 */

/**
 * The fuel rate in force: the last one that has started.
 *
 * @param {{from: string, rate: number}[]} rates in any order
 * @param {string} day
 * @returns {number} basis points
 */
export function fuelRate(rates, day) {
  const started = rates.filter((entry) => entry.from <= day);
  const latest = started.reduce(
    (best, entry) => (best === null || entry.from > best.from ? entry : best),
    null,
  );
  return latest?.rate ?? 0;
}

/** The peak season that a day belongs to, or undefined. */
export function peakSeason(seasons, day) {
  return seasons.find((season) => covers(season.period, day));
}

/**
 * Everything that comes on top of the base price of an order.
 *
 * @param {object} rules the catalogue's surcharges
 * @param {object} shipment
 * @param {string} shipment.day day of the order
 * @param {import("./zones.js").Zone} shipment.zone
 * @param {import("./address.js").Address} shipment.address
 * @param {import("./parcel.js").Parcel[]} shipment.parcels
 * @param {number} shipment.base cents for all parcels
 * @returns {Line[]} only those that apply
 */
export function surcharges(rules, { day, zone, address, parcels, base }) {
  const count = parcels.length;
  const bulky = parcels.filter(isBulky).length;
  const season = peakSeason(rules.peak, day);
  const lines = [
    { code: "fuel", label: "Fuel", amount: share(base, fuelRate(rules.fuel, day)) },
    { code: "bulky", label: "Bulky goods", amount: bulky * rules.bulky },
    {
      code: "remote",
      label: "Remote area",
      amount: isRemote(rules.remote.postcodes, address) ? count * rules.remote.fee : 0,
    },
    { code: "peak", label: season?.label ?? "Peak season", amount: count * (season?.fee ?? 0) },
    { code: "customs", label: "Customs papers", amount: zone.customs ? rules.customs : 0 },
  ];
  return lines.filter(({ amount }) => amount !== 0);
}

/** What a list of lines costs together. */
export function total(lines) {
  return sum(lines.map(({ amount }) => amount));
}
