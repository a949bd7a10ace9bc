import { addDays, SATURDAY, SUNDAY, weekday } from "./days.js";
import { CalendarError } from "./errors.js";
import { holidayOn } from "./holidays.js";
import { covers } from "./period.js";

/**
 * The days on which the depot works.
 *
 * @typedef {object} Calendar
 * @property {{reason: string, period: import("./period.js").Period}[]} closures
 *   days off besides weekends and public holidays
 */

/** How far ahead a working day is looked for before giving up. */
const HORIZON = 120;

/** The closure that a day falls into, or undefined. */
export function closureOn(calendar, day) {
  return calendar.closures.find((closure) => covers(closure.period, day));
}

/**
 * Why nothing moves on a day, or null on a working day.
 *
 * @param {Calendar} calendar
 * @param {string} day
 * @param {{saturdays?: boolean}} [options] whether Saturdays are worked
 * @returns {string | null}
 */
export function reasonOff(calendar, day, { saturdays = false } = {}) {
  const number = weekday(day);
  if (number === SUNDAY) return "Sunday";
  if (number === SATURDAY && !saturdays) return "Saturday";
  return holidayOn(day) ?? closureOn(calendar, day)?.reason ?? null;
}

export function isWorkingDay(calendar, day, options) {
  return reasonOff(calendar, day, options) === null;
}

/**
 * The day itself where it is a working day, else the next one that is.
 *
 * @returns {string} a day
 */
export function workingDayFrom(calendar, day, options) {
  for (let ahead = 0; ahead <= HORIZON; ahead += 1) {
    const candidate = addDays(day, ahead);
    if (isWorkingDay(calendar, candidate, options)) return candidate;
  }
  throw new CalendarError(`No working day within ${HORIZON} days from ${day}`);
}

/**
 * Counts working days ahead; the starting day itself does not count.
 *
 * @param {Calendar} calendar
 * @param {string} day
 * @param {number} count
 * @param {{saturdays?: boolean}} [options]
 * @returns {string} a day
 */
export function addWorkingDays(calendar, day, count, options) {
  let reached = day;
  for (let step = 0; step < count; step += 1) {
    reached = workingDayFrom(calendar, addDays(reached, 1), options);
  }
  return reached;
}
