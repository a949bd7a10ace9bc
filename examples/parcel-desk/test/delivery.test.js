import assert from "node:assert/strict";
import { test } from "node:test";
import { parseMoment } from "../src/days.js";
import { formatPromise, handoverDay, promiseDelivery } from "../src/delivery.js";
import { parsePeriod } from "../src/period.js";

const CALENDAR = {
  closures: [{ reason: "winter break", period: parsePeriod("2025-12-24..2026-01-02") }],
};
const STANDARD = { name: "Standard", cutoff: 960, saturdays: false, transit: { home: 2, far: 6 } };
const EXPRESS = { name: "Express", cutoff: 1050, saturdays: true, transit: { home: 1, far: 2 } };

function promise(service, zone, placed) {
  return promiseDelivery(CALENDAR, service, zone, parseMoment(placed));
}

test("what comes in by the cut-off leaves on the same day", () => {
  assert.equal(handoverDay(CALENDAR, STANDARD, parseMoment("2025-03-10 16:00")), "2025-03-10");
  assert.equal(handoverDay(CALENDAR, STANDARD, parseMoment("2025-03-10 16:01")), "2025-03-11");
});

test("what comes in on a day off leaves on the next working day", () => {
  assert.equal(handoverDay(CALENDAR, STANDARD, parseMoment("2025-03-15 18:00")), "2025-03-17");
  assert.equal(handoverDay(CALENDAR, EXPRESS, parseMoment("2025-03-14 18:00")), "2025-03-17");
});

test("transit counts working days", () => {
  assert.deepEqual(promise(STANDARD, "home", "2025-03-13 10:00"), {
    handover: "2025-03-13",
    due: "2025-03-17",
  });
  assert.equal(promise(STANDARD, "far", "2025-03-13 10:00").due, "2025-03-21");
});

test("express arrives on Saturdays too", () => {
  assert.equal(promise(EXPRESS, "home", "2025-03-14 10:00").due, "2025-03-15");
});

test("Easter holds parcels up", () => {
  assert.equal(promise(STANDARD, "home", "2025-04-17 10:00").due, "2025-04-23");
});

test("parcels wait until the winter break is over", () => {
  assert.deepEqual(promise(STANDARD, "home", "2025-12-23 10:00"), {
    handover: "2025-12-23",
    due: "2026-01-06",
  });
  assert.deepEqual(promise(EXPRESS, "home", "2025-12-23 18:00"), {
    handover: "2026-01-05",
    due: "2026-01-06",
  });
});

test("a zone that a service does not reach is refused", () => {
  assert.throws(
    () => promise(STANDARD, "moon", "2025-03-13 10:00"),
    /does not deliver to zone moon/,
  );
});

test("a promise is printed for people", () => {
  assert.equal(
    formatPromise({ handover: "2025-03-13", due: "2025-03-17" }),
    "leaves Thu 13 Mar 2025, arrives by Mon 17 Mar 2025",
  );
});
