import assert from "node:assert/strict";
import { test } from "node:test";
import { covers, formatPeriod, lengthInDays, overlaps, parsePeriod } from "../src/period.js";

const JANUARY = parsePeriod("2025-01-06..2025-01-31");
const ENDLESS = parsePeriod("2024-10-01..");

test("parsePeriod reads a first and a last day", () => {
  assert.deepEqual(JANUARY, { from: "2025-01-06", to: "2025-01-31" });
  assert.deepEqual(ENDLESS, { from: "2024-10-01", to: null });
});

test("parsePeriod refuses what is not a period", () => {
  assert.throws(() => parsePeriod("2025-01-06"), /is not a period/);
  assert.throws(() => parsePeriod("2025-01-06..2025-01-07..2025-01-08"), /is not a period/);
  assert.throws(() => parsePeriod("2025-01-06..2025-01-32"), /is not a day/);
  assert.throws(() => parsePeriod("2025-01-06..2025-01-05"), /ends before it starts/);
});

test("formatPeriod writes what parsePeriod reads", () => {
  for (const text of ["2025-01-06..2025-01-31", "2024-10-01.."]) {
    assert.equal(formatPeriod(parsePeriod(text)), text);
  }
});

test("lengthInDays counts the first day", () => {
  assert.equal(lengthInDays(parsePeriod("2025-01-06..2025-01-06")), 1);
  assert.equal(lengthInDays(JANUARY), 26);
  assert.equal(lengthInDays(ENDLESS), Infinity);
});

test("covers the days of a period and no others", () => {
  assert.equal(covers(JANUARY, "2025-01-05"), false);
  assert.equal(covers(JANUARY, "2025-01-06"), true);
  assert.equal(covers(JANUARY, "2025-01-20"), true);
  assert.equal(covers(JANUARY, "2025-02-01"), false);
});

test("a period without an end goes on", () => {
  assert.equal(covers(ENDLESS, "2024-09-30"), false);
  assert.equal(covers(ENDLESS, "2024-10-01"), true);
  assert.equal(covers(ENDLESS, "2099-12-31"), true);
});

test("periods overlap when they share a day", () => {
  const touching = parsePeriod("2025-01-31..2025-02-10");
  const next = parsePeriod("2025-02-01..2025-02-10");
  assert.equal(overlaps(JANUARY, touching), true);
  assert.equal(overlaps(touching, JANUARY), true);
  assert.equal(overlaps(JANUARY, next), false);
  assert.equal(overlaps(next, JANUARY), false);
  assert.equal(overlaps(ENDLESS, next), true);
  assert.equal(overlaps(parsePeriod("2024-01-01..2024-09-30"), ENDLESS), false);
});
