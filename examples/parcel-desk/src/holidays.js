import { addDays, yearOf } from "./days.js";

/** Holidays on the same date each year, as month and day. */
const FIXED = [
  ["01-01", "New Year's Day"],
  ["05-01", "Labour Day"],
  ["10-03", "Unity Day"],
  ["12-25", "Christmas Day"],
  ["12-26", "St Stephen's Day"],
];

/** Holidays that move with Easter, as days after Easter Sunday. */
const MOVING = [
  [-2, "Good Friday"],
  [1, "Easter Monday"],
  [39, "Ascension Day"],
  [50, "Whit Monday"],
];

/**
 * Easter Sunday in the Gregorian calendar: the Sunday after the first
 * ecclesiastical full moon of spring.
 *
 * @param {number} year
 * @returns {string} a day
 */
export function easterSunday(year) {
  const century = Math.floor(year / 100);
  const golden = year % 19;
  const leapShift = century - Math.floor(century / 4);
  const moonShift = Math.floor((8 * century + 13) / 25);
  const moonAge = (19 * golden + leapShift - moonShift + 15) % 30;
  const lateMoon = moonAge === 29 || (moonAge === 28 && golden > 10) ? 1 : 0;
  const fullMoon = moonAge - lateMoon;
  const yearShift = year + Math.floor(year / 4);
  const weekdayOfMoon = (yearShift + fullMoon + 2 - leapShift) % 7;
  return addDays(`${year}-03-28`, fullMoon - weekdayOfMoon);
}

/**
 * The public holidays of a year at the depot.
 *
 * @param {number} year
 * @returns {Map<string, string>} day to name, in the order of the year
 */
export function publicHolidays(year) {
  const easter = easterSunday(year);
  const named = [
    ...FIXED.map(([date, name]) => [`${year}-${date}`, name]),
    ...MOVING.map(([offset, name]) => [addDays(easter, offset), name]),
  ];
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The name of the holiday on a day, or undefined on an ordinary day. */
export function holidayOn(day) {
  return publicHolidays(yearOf(day)).get(day);
}
