import { FormatError } from "./errors.js";

/**
 * A day is an ISO text such as `2025-03-14`: it prints as it is, serves as a
 * key, and compares in the order of time with `<` and `>`. Arithmetic goes
 * through UTC, where every day has 24 hours.
 *
 * @typedef {string} Day
 */

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\S+)[ T](\d{2}):(\d{2})$/;
const MILLISECONDS = 24 * 60 * 60 * 1000;

const WEEKDAYS = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export const SATURDAY = 6;
export const SUNDAY = 7;

function toTime(day) {
  return Date.parse(`${day}T00:00:00Z`);
}

function fromTime(time) {
  return new Date(time).toISOString().slice(0, 10);
}

/**
 * Reads a day and refuses those that no calendar has, such as 30 February.
 *
 * @param {string} text
 * @returns {Day}
 */
export function parseDay(text) {
  const day = text.trim();
  const time = DAY.test(day) ? toTime(day) : Number.NaN;
  if (Number.isNaN(time) || fromTime(time) !== day) {
    throw new FormatError(`"${text}" is not a day; write it as 2025-03-14`);
  }
  return day;
}

/**
 * Reads a day with a time of day.
 *
 * @param {string} text for example `2025-03-14 15:30`
 * @returns {{day: Day, minutes: number}} minutes since midnight
 */
export function parseMoment(text) {
  const match = MOMENT.exec(text.trim());
  if (match === null) {
    throw new FormatError(`"${text}" is not a time; write it as 2025-03-14 15:30`);
  }
  const [, day, hours, minutes] = match;
  if (Number(hours) > 23 || Number(minutes) > 59) {
    throw new FormatError(`"${text}" is not a time of day`);
  }
  return { day: parseDay(day), minutes: Number(hours) * 60 + Number(minutes) };
}

/** Reads a time of day such as `16:00` as minutes since midnight. */
export function parseClock(text) {
  return parseMoment(`2000-01-01 ${text}`).minutes;
}

/** The day that is `count` days later, or earlier where `count` is negative. */
export function addDays(day, count) {
  return fromTime(toTime(day) + count * MILLISECONDS);
}

/** How many days later `to` is than `from`. */
export function daysBetween(from, to) {
  return Math.round((toTime(to) - toTime(from)) / MILLISECONDS);
}

/** 1 for Monday up to 7 for Sunday. */
export function weekday(day) {
  return new Date(toTime(day)).getUTCDay() || SUNDAY;
}

export function yearOf(day) {
  return Number(day.slice(0, 4));
}

/** Writes a day for people: `Fri 14 Mar 2025`. */
export function formatDay(day) {
  const [year, month, date] = day.split("-").map(Number);
  return `${WEEKDAYS[weekday(day) - 1]} ${date} ${MONTHS[month - 1]} ${year}`;
}
