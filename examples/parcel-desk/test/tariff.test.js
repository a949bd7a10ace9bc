import assert from "node:assert/strict";
import { test } from "node:test";
import { bandFor, basePrice, offers } from "../src/tariff.js";
import { isRemote, zoneOf } from "../src/zones.js";

const TARIFF = {
  slow: {
    home: [
      { upTo: 2000, price: 400 },
      { upTo: 5000, price: 600 },
    ],
  },
  fast: {
    home: [
      { upTo: 2000, price: 900 },
      { upTo: 31_500, price: 1500 },
    ],
    far: [{ upTo: 2000, price: 3000 }],
  },
};
const ZONES = [
  { id: "home", countries: ["DE"], customs: false },
  { id: "far", countries: ["ES", "FR"], customs: false },
];

const parcel = (weight) => ({ weight, sides: [100, 100, 100] });

test("a band includes its upper limit", () => {
  assert.equal(bandFor(TARIFF.slow.home, 2000).price, 400);
  assert.equal(bandFor(TARIFF.slow.home, 2001).price, 600);
  assert.equal(bandFor(TARIFF.slow.home, 5001), undefined);
});

test("the base price follows the chargeable weight", () => {
  assert.equal(basePrice(TARIFF, "slow", "home", parcel(1999)), 400);
  assert.equal(basePrice(TARIFF, "slow", "home", { weight: 100, sides: [300, 200, 200] }), 600);
});

test("a gap in the price list is reported", () => {
  assert.throws(() => basePrice(TARIFF, "slow", "far", parcel(500)), /No slow price for zone far/);
  assert.throws(() => basePrice(TARIFF, "fast", "far", parcel(2500)), /No fast price for 2.5 kg/);
});

test("offers come cheapest first", () => {
  assert.deepEqual(offers(TARIFF, "home", parcel(800)), [
    { service: "slow", price: 400 },
    { service: "fast", price: 900 },
  ]);
  assert.deepEqual(offers(TARIFF, "home", parcel(6000)), [{ service: "fast", price: 1500 }]);
  assert.deepEqual(offers(TARIFF, "far", parcel(6000)), []);
});

test("a country has one zone", () => {
  assert.equal(zoneOf(ZONES, { country: "FR" }).id, "far");
  assert.throws(() => zoneOf(ZONES, { country: "NO" }), /No zone for country NO/);
});

test("remote areas are ranges of postcodes, both ends included", () => {
  const remote = { DE: [["25938", "25999"]], SE: [["62000", "62499"]] };
  assert.equal(isRemote(remote, { country: "DE", postcode: "25937" }), false);
  assert.equal(isRemote(remote, { country: "DE", postcode: "25938" }), true);
  assert.equal(isRemote(remote, { country: "DE", postcode: "25999" }), true);
  assert.equal(isRemote(remote, { country: "SE", postcode: "624 00" }), true);
  assert.equal(isRemote(remote, { country: "FR", postcode: "25999" }), false);
});
