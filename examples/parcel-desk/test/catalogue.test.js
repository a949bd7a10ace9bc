import assert from "node:assert/strict";
import { test } from "node:test";
import { loadCatalogue, requireApart, requireShort } from "../src/catalogue.js";
import { parsePeriod } from "../src/period.js";
import { isServed } from "../src/postcodes.js";

const CATALOGUE = loadCatalogue();

test("every service reaches exactly the zones that it has prices for", () => {
  for (const [id, service] of Object.entries(CATALOGUE.services)) {
    assert.deepEqual(Object.keys(service.transit), Object.keys(CATALOGUE.tariff[id]));
  }
});

test("prices rise with weight", () => {
  for (const zones of Object.values(CATALOGUE.tariff)) {
    for (const bands of Object.values(zones)) {
      bands.slice(1).forEach((band, index) => {
        assert.ok(band.upTo > bands[index].upTo && band.price > bands[index].price);
      });
    }
  }
});

test("every country of a zone has a form of postcode", () => {
  const countries = CATALOGUE.zones.flatMap((zone) => zone.countries);
  assert.deepEqual(
    countries.filter((country) => !isServed(country)),
    [],
  );
  assert.equal(new Set(countries).size, countries.length);
});

test("periods that share a day are refused", () => {
  const entries = (...texts) => texts.map((text) => ({ period: parsePeriod(text) }));
  const apart = entries("2025-01-01..2025-01-10", "2025-01-11..");
  assert.equal(requireApart(apart, "seasons"), apart);
  assert.throws(
    () => requireApart(entries("2025-01-01..2025-01-10", "2025-01-10..2025-01-11"), "seasons"),
    /Two seasons share a day/,
  );
});

test("a closure of months is taken for a slip", () => {
  const closed = (text) => [{ reason: "repairs", period: parsePeriod(text) }];
  assert.equal(requireShort(closed("2025-01-01..2025-03-01")).length, 1);
  assert.throws(() => requireShort(closed("2025-01-01..2025-03-02")), /61 days/);
  assert.throws(() => requireShort(closed("2025-01-01..")), /Infinity days/);
});
