import assert from "node:assert/strict";
import { test } from "node:test";
import { allocate, formatMoney, parseMoney, share, sum } from "../src/money.js";

test("parseMoney reads amounts with and without cents", () => {
  assert.equal(parseMoney("12.50"), 1250);
  assert.equal(parseMoney(" 7 "), 700);
  assert.equal(parseMoney("-0.05"), -5);
});

test("parseMoney refuses what is not an amount", () => {
  for (const text of ["", "12,50", "1.5", "EUR 3", "1 000"]) {
    assert.throws(() => parseMoney(text), /is not an amount/);
  }
});

test("formatMoney writes two decimals and sets thousands apart", () => {
  assert.equal(formatMoney(0), "0.00");
  assert.equal(formatMoney(5), "0.05");
  assert.equal(formatMoney(-1250), "-12.50");
  assert.equal(formatMoney(123456789), "1 234 567.89");
  assert.equal(formatMoney(99999), "999.99");
});

test("share rounds half away from zero", () => {
  assert.equal(share(1000, 1900), 190);
  assert.equal(share(50, 100), 1);
  assert.equal(share(49, 100), 0);
  assert.equal(share(-50, 100), -1);
});

test("sum of nothing is zero", () => {
  assert.equal(sum([]), 0);
  assert.equal(sum([250, -50, 5]), 205);
});

test("allocate splits without losing a cent", () => {
  assert.deepEqual(allocate(1000, [1, 1, 1]), [334, 333, 333]);
  assert.deepEqual(allocate(1001, [1, 1, 1]), [334, 334, 333]);
  assert.deepEqual(allocate(900, [1, 2]), [300, 600]);
});

test("allocate gives the odd cent to the largest fraction", () => {
  assert.deepEqual(allocate(10, [1, 5]), [2, 8]);
  assert.deepEqual(allocate(11, [1, 5]), [2, 9]);
  assert.deepEqual(allocate(5, [0, 3]), [0, 5]);
});

test("allocate refuses to split over nothing", () => {
  assert.throws(() => allocate(100, []), RangeError);
  assert.throws(() => allocate(100, [0, 0]), RangeError);
});
