import assert from "node:assert/strict";
import { test } from "node:test";
import { isVatId, taxation, taxOn } from "../src/tax.js";

const RULES = { home: "DE", rate: 1900 };
const UNION = { customs: false };
const WORLD = { customs: true };

test("a VAT number belongs to a country", () => {
  assert.equal(isVatId("NL 0042 5687 7B01", "NL"), true);
  assert.equal(isVatId("NL004256877B01", "BE"), false);
  assert.equal(isVatId("", "NL"), false);
  assert.equal(isVatId("NL12", "NL"), false);
});

test("private persons pay the rate at home", () => {
  assert.deepEqual(taxation(RULES, UNION, { country: "FR" }, ""), { kind: "standard", rate: 1900 });
});

test("businesses in other member states pay the tax themselves", () => {
  const taxed = taxation(RULES, UNION, { country: "NL" }, "NL004256877B01");
  assert.equal(taxed.kind, "reverse-charge");
  assert.match(taxed.note, /NL004256877B01/);
});

test("businesses at home pay the rate at home", () => {
  assert.equal(taxation(RULES, UNION, { country: "DE" }, "DE123456789").kind, "standard");
});

test("exports are exempt", () => {
  assert.equal(taxation(RULES, WORLD, { country: "NO" }, "").kind, "export");
});

test("tax is rounded to the cent", () => {
  assert.equal(taxOn(593, { rate: 1900 }), 113);
  assert.equal(taxOn(593, { rate: 0 }), 0);
});
