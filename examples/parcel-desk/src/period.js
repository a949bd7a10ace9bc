import { daysBetween, parseDay } from "./days.js";
import { FormatError } from "./errors.js";

/**
 * A run of days. Promotions, seasons and closures are all written in the data
 * files as `2025-01-06..2025-01-31`, the way the office announces them; `..`
 * with nothing behind it means until further notice.
 *
 * @typedef {object} Period
 * @property {string} from first day
 * @property {string | null} to last day, null until further notice
 */

/**
 * @param {string} text
 * @returns {Period}
 */
export function parsePeriod(text) {
  const [start, end, ...rest] = text.split("..");
  if (end === undefined || rest.length > 0) {
    throw new FormatError(`"${text}" is not a period; write it as 2025-01-06..2025-01-31`);
  }
  const from = parseDay(start);
  const to = end.trim() === "" ? null : parseDay(end);
  if (to !== null && to < from) {
    throw new FormatError(`"${text}" ends before it starts`);
  }
  return { from, to };
}

/** Writes a period the way `parsePeriod` reads it. */
export function formatPeriod(period) {
  return `${period.from}..${period.to ?? ""}`;
}

/** How many days a period has; endless ones have Infinity. */
export function lengthInDays(period) {
  if (period.to === null) return Infinity;
  return daysBetween(period.from, period.to) + 1;
}

/** Whether a day belongs to a period. */
export function covers(period, day) {
  if (day < period.from) return false;
  if (period.to === null) return true;
  return day < period.to;
}

/** Whether two periods have a day in common. */
export function overlaps(one, other) {
  const startsInTime = other.to === null || one.from <= other.to;
  const endsInTime = one.to === null || other.from <= one.to;
  return startsInTime && endsInTime;
}
