import { readFileSync } from "node:fs";
import { parseClock } from "./days.js";
import { FormatError } from "./errors.js";
import { formatPeriod, lengthInDays, overlaps, parsePeriod } from "./period.js";

/**
 * Everything that changes without a new version of the program: services,
 * prices, zones, surcharges, promotions, closures. The files in `data/` hold
 * it in the way the office writes it; here it becomes what the program uses.
 */

/** A closure that lasts longer is taken for a slip of the pen. */
const LONGEST_CLOSURE = 60;

function readData(name) {
  return JSON.parse(readFileSync(new URL(`../data/${name}.json`, import.meta.url), "utf8"));
}

function withPeriod({ period, ...entry }) {
  return { ...entry, period: parsePeriod(period) };
}

/** Refuses seasons that would charge the same day twice. */
export function requireApart(entries, what) {
  entries.forEach((one, index) => {
    const clash = entries.slice(index + 1).find((other) => overlaps(one.period, other.period));
    if (clash !== undefined) {
      throw new FormatError(
        `Two ${what} share a day: ${formatPeriod(one.period)} and ${formatPeriod(clash.period)}`,
      );
    }
  });
  return entries;
}

/** Refuses closures that nobody can have meant. */
export function requireShort(closures) {
  for (const { reason, period } of closures) {
    const days = lengthInDays(period);
    if (days > LONGEST_CLOSURE) {
      throw new FormatError(`Closed for ${reason} from ${formatPeriod(period)}: ${days} days`);
    }
  }
  return closures;
}

function readServices(services) {
  return Object.fromEntries(
    Object.entries(services).map(([id, service]) => [
      id,
      { ...service, id, cutoff: parseClock(service.cutoff) },
    ]),
  );
}

/** Turns price lists such as `{"2000": 549}` into bands, light first. */
function readBands(prices) {
  return Object.entries(prices)
    .map(([grams, price]) => ({ upTo: Number(grams), price }))
    .sort((a, b) => a.upTo - b.upTo);
}

function readTariff(tariff) {
  const byZone = (zones) =>
    Object.fromEntries(Object.entries(zones).map(([zone, prices]) => [zone, readBands(prices)]));
  return Object.fromEntries(
    Object.entries(tariff).map(([service, zones]) => [service, byZone(zones)]),
  );
}

/**
 * Reads the catalogue of the office.
 *
 * @returns the services, tariff, zones, surcharges, promotions, volume tiers,
 *   calendar, tax rules and the sender's own address
 */
export function loadCatalogue() {
  const { zones, remote } = readData("zones");
  const { peak, ...fees } = readData("surcharges");
  const { promotions, volume } = readData("discounts");
  const { closures } = readData("calendar");
  const { sender, tax } = readData("office");
  return {
    services: readServices(readData("services")),
    tariff: readTariff(readData("tariff")),
    zones,
    surcharges: {
      ...fees,
      remote: { ...fees.remote, postcodes: remote },
      peak: requireApart(peak.map(withPeriod), "peak seasons"),
    },
    promotions: promotions.map((entry) => ({ minimum: 0, ...withPeriod(entry) })),
    volume,
    calendar: { closures: requireShort(requireApart(closures.map(withPeriod), "closures")) },
    sender,
    tax,
  };
}
