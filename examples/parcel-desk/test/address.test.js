import assert from "node:assert/strict";
import { test } from "node:test";
import { addressProblems, labelLines, normaliseAddress } from "../src/address.js";
import { normalisePostcode } from "../src/postcodes.js";

const GOOD = {
  name: "Studio Zwaan",
  street: "Keizersgracht 210",
  postcode: "1016 dw",
  city: "Amsterdam",
  country: "nl",
};

test("a good address comes out ready for the label", () => {
  assert.deepEqual(normaliseAddress({ ...GOOD, name: "  Studio   Zwaan " }), {
    name: "Studio Zwaan",
    street: "Keizersgracht 210",
    postcode: "1016 DW",
    city: "Amsterdam",
    country: "NL",
  });
});

test("all problems are named at once", () => {
  assert.deepEqual(
    addressProblems({ ...GOOD, name: "", street: "Keizersgracht", postcode: "0016 DW" }),
    ["name is missing", "street has no house number", '"0016 DW" is not a postcode of NL'],
  );
});

test("a line that does not fit on the label is refused", () => {
  assert.deepEqual(addressProblems({ ...GOOD, city: "A".repeat(40) }), []);
  assert.deepEqual(addressProblems({ ...GOOD, city: "A".repeat(41) }), [
    "city is longer than 40 characters",
  ]);
});

test("a country that is not served is refused", () => {
  assert.throws(() => normaliseAddress({ ...GOOD, country: "AQ" }), /country "AQ" is not served/);
  assert.throws(() => normaliseAddress({}), /country "" is not served/);
});

test("postcodes are printed the way of their country", () => {
  assert.equal(normalisePostcode("PL", "00950"), "00-950");
  assert.equal(normalisePostcode("SE", "114-55"), "114 55");
  assert.equal(normalisePostcode("GB", "ec1a1bb"), "EC1A 1BB");
  assert.equal(normalisePostcode("DE", "50667"), "50667");
  assert.equal(normalisePostcode("DE", "5066"), null);
});

test("the country is left out on labels at home", () => {
  const address = normaliseAddress(GOOD);
  assert.deepEqual(labelLines(address, "NL"), [
    "Studio Zwaan",
    "Keizersgracht 210",
    "1016 DW Amsterdam",
  ]);
  assert.equal(labelLines(address, "DE").at(-1), "NL");
});
