import assert from "node:assert/strict";
import { test } from "node:test";
import { findPromotion, promotionDiscount, volumeRate } from "../src/discounts.js";
import { parsePeriod } from "../src/period.js";

const SPRING = {
  code: "SPRING5",
  period: parsePeriod("2025-03-01..2025-03-31"),
  amount: 500,
  minimum: 2000,
};
const FASTLANE = {
  code: "FASTLANE",
  period: parsePeriod("2025-05-12..2025-06-08"),
  rate: 1500,
  minimum: 0,
  services: ["express"],
};
const WELCOME = { code: "WELCOME", period: parsePeriod("2024-10-01.."), amount: 250, minimum: 0 };

const order = (changes) => ({ day: "2025-03-10", service: "standard", net: 2500, ...changes });

test("codes are found in any case", () => {
  assert.equal(findPromotion([SPRING, WELCOME], " welcome "), WELCOME);
  assert.throws(() => findPromotion([SPRING], "AUTUMN"), /There is no promotion AUTUMN/);
});

test("a promotion takes off an amount or a rate", () => {
  assert.equal(promotionDiscount(SPRING, order({})), 500);
  assert.equal(
    promotionDiscount(FASTLANE, order({ day: "2025-05-20", service: "express", net: 3333 })),
    500,
  );
});

test("a promotion never takes off more than the order costs", () => {
  assert.equal(promotionDiscount(WELCOME, order({ net: 199 })), 199);
});

test("a promotion has not started before its first day", () => {
  assert.throws(
    () => promotionDiscount(SPRING, order({ day: "2025-02-28" })),
    /Promotion SPRING5 starts on Sat 1 Mar 2025/,
  );
  assert.equal(promotionDiscount(SPRING, order({ day: "2025-03-01" })), 500);
});

test("a promotion that is over is refused", () => {
  assert.throws(
    () => promotionDiscount(SPRING, order({ day: "2025-04-01" })),
    /Promotion SPRING5 ended on Mon 31 Mar 2025/,
  );
});

test("a promotion until further notice has no end", () => {
  assert.equal(promotionDiscount(WELCOME, order({ day: "2031-07-01" })), 250);
});

test("a promotion may be for one service or from a minimum", () => {
  assert.throws(
    () => promotionDiscount(FASTLANE, order({ day: "2025-05-20" })),
    /does not hold for standard/,
  );
  assert.throws(() => promotionDiscount(SPRING, order({ net: 1999 })), /order of 20.00 or more/);
  assert.equal(promotionDiscount(SPRING, order({ net: 2000 })), 500);
});

test("the volume rate is the highest tier reached", () => {
  const tiers = [
    { from: 25_000, rate: 350 },
    { from: 10_000, rate: 200 },
  ];
  assert.equal(volumeRate(tiers, 9999), 0);
  assert.equal(volumeRate(tiers, 10_000), 200);
  assert.equal(volumeRate(tiers, 25_000), 350);
});
