import assert from "node:assert/strict";
import { test } from "node:test";
import { formatSize, formatWeight, parseLength, parseSize, parseWeight } from "../src/units.js";

test("parseWeight reads the usual units", () => {
  assert.equal(parseWeight("750 g"), 750);
  assert.equal(parseWeight("2.5kg"), 2500);
  assert.equal(parseWeight("3 LB"), 1361);
  assert.equal(parseWeight("1 oz"), 29);
});

test("parseWeight rounds up to a gram, but not for a representation error", () => {
  assert.equal(parseWeight("0.0301 kg"), 31);
  assert.equal(parseWeight("1.1 kg"), 1100);
  assert.equal(parseWeight("4.35 kg"), 4350);
});

test("parseWeight refuses nothing, nonsense and unknown units", () => {
  assert.throws(() => parseWeight("0 g"), /is nothing/);
  assert.throws(() => parseWeight("heavy"), /is not a weight/);
  assert.throws(() => parseWeight("3 st"), /is not a weight/);
});

test("parseLength reads the usual units", () => {
  assert.equal(parseLength("30 cm"), 300);
  assert.equal(parseLength("1.2 m"), 1200);
  assert.equal(parseLength("10 in"), 254);
});

test("parseSize puts the longest side first", () => {
  assert.deepEqual(parseSize("20x40x30 cm"), [400, 300, 200]);
  assert.deepEqual(parseSize("120 x 15.5 x 80 mm"), [120, 80, 16]);
});

test("parseSize refuses two sides or no unit", () => {
  assert.throws(() => parseSize("20x40 cm"), /is not a size/);
  assert.throws(() => parseSize("20x40x30"), /is not a size/);
});

test("weights and sizes are written the way people say them", () => {
  assert.equal(formatWeight(999), "999 g");
  assert.equal(formatWeight(1000), "1 kg");
  assert.equal(formatWeight(2450), "2.45 kg");
  assert.equal(formatSize([400, 255, 200]), "40 x 25.5 x 20 cm");
});
