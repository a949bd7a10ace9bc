import { addWorkingDays, isWorkingDay, workingDayFrom } from "./calendar.js";
import { addDays, formatDay } from "./days.js";
import { TariffError } from "./errors.js";

/**
 * What the office promises a sender.
 *
 * @typedef {object} DeliveryPromise
 * @property {string} handover day on which the carrier takes the parcel
 * @property {string} due day on which it arrives at the latest
 */

/**
 * The day on which a parcel leaves the depot. What comes in after the cut-off
 * of its service, or on a day off, leaves on the next working day. Nothing
 * leaves on a Saturday, whatever the service.
 *
 * @param {import("./calendar.js").Calendar} calendar
 * @param {{cutoff: number}} service
 * @param {{day: string, minutes: number}} placed
 * @returns {string} a day
 */
export function handoverDay(calendar, service, placed) {
  const late = placed.minutes > service.cutoff;
  if (late && isWorkingDay(calendar, placed.day)) {
    return workingDayFrom(calendar, addDays(placed.day, 1));
  }
  return workingDayFrom(calendar, placed.day);
}

/**
 * @param {import("./calendar.js").Calendar} calendar
 * @param {{name: string, cutoff: number, saturdays: boolean, transit: Record<string, number>}} service
 * @param {string} zone
 * @param {{day: string, minutes: number}} placed
 * @returns {DeliveryPromise}
 */
export function promiseDelivery(calendar, service, zone, placed) {
  const transit = service.transit[zone];
  if (transit === undefined) {
    throw new TariffError(`${service.name} does not deliver to zone ${zone}`);
  }
  const handover = handoverDay(calendar, service, placed);
  const due = addWorkingDays(calendar, handover, transit, { saturdays: service.saturdays });
  return { handover, due };
}

/** Writes a promise for the counter: `leaves Fri 14 Mar 2025, arrives by ...`. */
export function formatPromise(promise) {
  return `leaves ${formatDay(promise.handover)}, arrives by ${formatDay(promise.due)}`;
}
