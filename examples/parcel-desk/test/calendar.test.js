import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addWorkingDays,
  closureOn,
  isWorkingDay,
  reasonOff,
  workingDayFrom,
} from "../src/calendar.js";
import { parsePeriod } from "../src/period.js";

const OPEN = { closures: [] };
const CALENDAR = {
  closures: [
    { reason: "stocktaking", period: parsePeriod("2025-08-28..2025-08-29") },
    { reason: "moving house", period: parsePeriod("2025-09-08..2025-09-19") },
  ],
};

test("weekends are off, Saturdays only for those who do not work them", () => {
  assert.equal(reasonOff(OPEN, "2025-03-14"), null);
  assert.equal(reasonOff(OPEN, "2025-03-15"), "Saturday");
  assert.equal(reasonOff(OPEN, "2025-03-15", { saturdays: true }), null);
  assert.equal(reasonOff(OPEN, "2025-03-16", { saturdays: true }), "Sunday");
});

test("public holidays are off", () => {
  assert.equal(reasonOff(OPEN, "2025-05-29"), "Ascension Day");
  assert.equal(isWorkingDay(OPEN, "2025-05-30"), true);
});

test("closures are off", () => {
  assert.equal(reasonOff(CALENDAR, "2025-08-27"), null);
  assert.equal(reasonOff(CALENDAR, "2025-08-28"), "stocktaking");
  assert.equal(reasonOff(CALENDAR, "2025-09-10"), "moving house");
  assert.equal(reasonOff(CALENDAR, "2025-09-22"), null);
});

test("closureOn finds the closure of a day", () => {
  assert.equal(closureOn(CALENDAR, "2025-09-08").reason, "moving house");
  assert.equal(closureOn(CALENDAR, "2025-03-14"), undefined);
});

test("workingDayFrom stays on a working day", () => {
  assert.equal(workingDayFrom(OPEN, "2025-03-14"), "2025-03-14");
  assert.equal(workingDayFrom(OPEN, "2025-03-15"), "2025-03-17");
  assert.equal(workingDayFrom(OPEN, "2025-04-18"), "2025-04-22");
});

test("addWorkingDays does not count the starting day", () => {
  assert.equal(addWorkingDays(OPEN, "2025-03-10", 0), "2025-03-10");
  assert.equal(addWorkingDays(OPEN, "2025-03-10", 3), "2025-03-13");
  assert.equal(addWorkingDays(OPEN, "2025-03-13", 2), "2025-03-17");
  assert.equal(addWorkingDays(OPEN, "2025-03-13", 2, { saturdays: true }), "2025-03-15");
});

test("a calendar that never opens is reported", () => {
  const never = { closures: [{ reason: "for good", period: parsePeriod("2025-01-01..") }] };
  assert.throws(() => workingDayFrom(never, "2025-03-14"), /No working day within/);
});
