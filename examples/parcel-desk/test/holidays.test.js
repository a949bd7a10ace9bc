import assert from "node:assert/strict";
import { test } from "node:test";
import { easterSunday, holidayOn, publicHolidays } from "../src/holidays.js";

test("Easter falls where the church tables have it", () => {
  const expected = {
    1981: "1981-04-19",
    2008: "2008-03-23",
    2024: "2024-03-31",
    2025: "2025-04-20",
    2026: "2026-04-05",
    2038: "2038-04-25",
    2049: "2049-04-18",
  };
  for (const [year, day] of Object.entries(expected)) {
    assert.equal(easterSunday(Number(year)), day);
  }
});

test("a year has nine public holidays, in order", () => {
  assert.deepEqual(
    [...publicHolidays(2025).keys()],
    [
      "2025-01-01",
      "2025-04-18",
      "2025-04-21",
      "2025-05-01",
      "2025-05-29",
      "2025-06-09",
      "2025-10-03",
      "2025-12-25",
      "2025-12-26",
    ],
  );
});

test("holidayOn names the holiday", () => {
  assert.equal(holidayOn("2025-04-18"), "Good Friday");
  assert.equal(holidayOn("2025-04-17"), undefined);
  assert.equal(holidayOn("2026-01-01"), "New Year's Day");
});
