import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePeriod } from "../src/period.js";
import { fuelRate, peakSeason, surcharges, total } from "../src/surcharges.js";

const RULES = {
  fuel: [
    { from: "2025-07-01", rate: 950 },
    { from: "2025-01-01", rate: 800 },
  ],
  bulky: 2450,
  remote: { fee: 650, postcodes: { DE: [["25938", "25999"]] } },
  customs: 900,
  peak: [{ label: "Christmas peak", period: parsePeriod("2025-11-24..2025-12-23"), fee: 120 }],
};

const SMALL = { weight: 800, sides: [200, 100, 100] };
const LONG = { weight: 800, sides: [1500, 100, 100] };

function charge(changes) {
  const shipment = {
    day: "2025-03-10",
    zone: { customs: false },
    address: { country: "DE", postcode: "50667" },
    parcels: [SMALL],
    base: 1000,
    ...changes,
  };
  return Object.fromEntries(surcharges(RULES, shipment).map(({ code, amount }) => [code, amount]));
}

test("the fuel rate is the last one that has started", () => {
  assert.equal(fuelRate(RULES.fuel, "2024-12-31"), 0);
  assert.equal(fuelRate(RULES.fuel, "2025-01-01"), 800);
  assert.equal(fuelRate(RULES.fuel, "2025-06-30"), 800);
  assert.equal(fuelRate(RULES.fuel, "2025-07-01"), 950);
});

test("an ordinary parcel pays for fuel alone", () => {
  assert.deepEqual(charge({}), { fuel: 80 });
});

test("bulky goods and remote areas are charged per parcel", () => {
  assert.deepEqual(charge({ parcels: [SMALL, LONG, LONG] }), { fuel: 80, bulky: 4900 });
  assert.deepEqual(
    charge({ parcels: [SMALL, SMALL], address: { country: "DE", postcode: "25946" } }),
    { fuel: 80, remote: 1300 },
  );
});

test("customs papers are charged per order", () => {
  assert.deepEqual(charge({ parcels: [SMALL, SMALL], zone: { customs: true } }), {
    fuel: 80,
    customs: 900,
  });
});

test("the peak season begins on its first day", () => {
  assert.equal(peakSeason(RULES.peak, "2025-11-23"), undefined);
  assert.equal(peakSeason(RULES.peak, "2025-11-24").label, "Christmas peak");
  assert.equal(peakSeason(RULES.peak, "2025-12-24"), undefined);
});

test("the peak season is charged per parcel", () => {
  assert.deepEqual(charge({ day: "2025-12-01", parcels: [SMALL, SMALL] }), { fuel: 95, peak: 240 });
});

test("total adds up lines", () => {
  assert.equal(total([{ amount: 80 }, { amount: -30 }]), 50);
});
