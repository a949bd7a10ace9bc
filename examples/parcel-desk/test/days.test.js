import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addDays,
  daysBetween,
  formatDay,
  parseClock,
  parseDay,
  parseMoment,
  weekday,
  yearOf,
} from "../src/days.js";

test("parseDay takes days that exist", () => {
  assert.equal(parseDay(" 2025-03-14 "), "2025-03-14");
  assert.equal(parseDay("2024-02-29"), "2024-02-29");
});

test("parseDay refuses days that no calendar has", () => {
  for (const text of ["2025-02-29", "2025-13-01", "14.03.2025", "2025-3-4", ""]) {
    assert.throws(() => parseDay(text), /is not a day/);
  }
});

test("parseMoment reads a day and a time", () => {
  assert.deepEqual(parseMoment("2025-03-14 15:30"), { day: "2025-03-14", minutes: 930 });
  assert.deepEqual(parseMoment("2025-03-14T00:00"), { day: "2025-03-14", minutes: 0 });
});

test("parseMoment refuses times that no clock shows", () => {
  assert.throws(() => parseMoment("2025-03-14 24:00"), /not a time of day/);
  assert.throws(() => parseMoment("2025-03-14 12:60"), /not a time of day/);
  assert.throws(() => parseMoment("2025-03-14"), /is not a time/);
});

test("parseClock counts minutes since midnight", () => {
  assert.equal(parseClock("16:05"), 965);
});

test("addDays crosses months, years and leap days", () => {
  assert.equal(addDays("2024-02-28", 1), "2024-02-29");
  assert.equal(addDays("2025-02-28", 1), "2025-03-01");
  assert.equal(addDays("2025-12-31", 1), "2026-01-01");
  assert.equal(addDays("2025-01-01", -1), "2024-12-31");
});

test("daysBetween counts over the change to summer time", () => {
  assert.equal(daysBetween("2025-03-29", "2025-03-31"), 2);
  assert.equal(daysBetween("2025-03-31", "2025-03-29"), -2);
});

test("weekday runs from Monday to Sunday", () => {
  assert.equal(weekday("2025-03-10"), 1);
  assert.equal(weekday("2025-03-15"), 6);
  assert.equal(weekday("2025-03-16"), 7);
});

test("formatDay writes a day for people", () => {
  assert.equal(formatDay("2025-03-09"), "Sun 9 Mar 2025");
  assert.equal(yearOf("2025-03-09"), 2025);
});
