import { expect, test } from "vitest";
import { findUnshownLiterals } from "./stated-literals.ts";

const ports = "The default port (80 for http, 443 for https) means the same as no port.";
const tests = 'assert normalize("https://example.org:443/a/b") == "https://example.org/a/b"';

test("a value of a pair is an open case if the patch and the tests have only the other value", () => {
  const open = [{ text: "80 for http", isCertain: true }];
  expect(findUnshownLiterals(ports, { tests, added: 'removesuffix(":443")' })).toEqual(open);
  expect(findUnshownLiterals(ports, { tests, added: 'ports = {"http": 80, "https": 443}' })).toEqual([]);
  expect(
    findUnshownLiterals(ports, { tests: `${tests}\nassert normalize("http://a.org:80/")`, added: "" }),
  ).toEqual([]);
  // The tests show no part of the pair: it may be no case at all.
  expect(findUnshownLiterals(ports, { tests: "assert f(8080)", added: "" })).toEqual([]);
});

test("paths and grouped numbers of one requirement are open cases, which only limit the evidence", () => {
  const path = "The rest must stay as it is, because servers tell /A from /a.";
  expect(findUnshownLiterals(path, { tests, added: "" })).toEqual([{ text: "/A", isCertain: false }]);
  const prices = "Thousands should be separated by commas: 1,234.56 € and 1,234,567.00 €.";
  const one = 'assert.equal(formatPrice(123456), "1,234.56 €");';
  expect(findUnshownLiterals(prices, { tests: one, added: "" })).toEqual([
    { text: "1,234,567.00", isCertain: false },
  ]);
  expect(
    findUnshownLiterals("It must work with 1.4.1 and 1.5.0.", { tests: "f('1.4.1')", added: "" }),
  ).toEqual([]);
});
