import assert from "node:assert/strict";
import { test } from "node:test";
import { chargeableWeight, checkParcel, girth, isBulky, volumetricWeight } from "../src/parcel.js";

const parcel = (weight, ...sides) => ({ weight, sides });

test("volume counts as weight", () => {
  assert.equal(volumetricWeight(parcel(1, 400, 300, 200)), 4800);
  assert.equal(volumetricWeight(parcel(1, 101, 100, 100)), 202);
  assert.equal(volumetricWeight(parcel(1, 101, 101, 100)), 205);
});

test("the heavier of scale and volume is charged", () => {
  assert.equal(chargeableWeight(parcel(1200, 400, 300, 200)), 4800);
  assert.equal(chargeableWeight(parcel(9000, 400, 300, 200)), 9000);
});

test("girth goes once around", () => {
  assert.equal(girth(parcel(1, 1000, 300, 200)), 2000);
});

test("long or thick parcels are bulky", () => {
  assert.equal(isBulky(parcel(1, 1200, 100, 100)), false);
  assert.equal(isBulky(parcel(1, 1201, 100, 100)), true);
  assert.equal(isBulky(parcel(1, 1000, 500, 500)), false);
  assert.equal(isBulky(parcel(1, 1000, 501, 500)), true);
});

test("what the conveyor cannot take is refused", () => {
  assert.throws(() => checkParcel(parcel(31_501, 300, 200, 100)), /31.5 kg is too heavy/);
  assert.throws(() => checkParcel(parcel(500, 2001, 200, 100)), /is too long/);
  const largest = parcel(31_500, 2000, 200, 100);
  assert.equal(checkParcel(largest), largest);
});
