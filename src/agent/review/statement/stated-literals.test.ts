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

test("paths and grouped numbers of one requirement are open cases; a demanded number is certain", () => {
  const path = "The rest must stay as it is, because servers tell /A from /a.";
  expect(findUnshownLiterals(path, { tests, added: "" })).toEqual([{ text: "/A", isCertain: false }]);
  const prices = "Thousands should be separated by commas: 1,234.56 € and 1,234,567.00 €.";
  const one = 'assert.equal(formatPrice(123456), "1,234.56 €");';
  expect(findUnshownLiterals(prices, { tests: one, added: "" })).toEqual([
    { text: "1,234,567.00", isCertain: true },
  ]);
  expect(
    findUnshownLiterals("It must work with 1.4.1 and 1.5.0.", { tests: "f('1.4.1')", added: "" }),
  ).toEqual([]);
});

test("a value with signs of a pattern is read as it is written", () => {
  const powers = "It must give `2**8` in Python and `2^8` in R.";
  expect(findUnshownLiterals(powers, { tests: 'assert power() == "2**8"', added: "" })).toEqual([
    { text: "`2^8` for R", isCertain: true },
  ]);
  const sums = 'It must be "1+1" for sums and "3" for others.';
  expect(findUnshownLiterals(sums, { tests: 'assert show() == "1+1" or "3"', added: "" })).toEqual([]);
});

test("a pair that demands nothing is no certain case", () => {
  const answers = "The server answers 200 in Chrome and 404 in Firefox.";
  expect(findUnshownLiterals(answers, { tests: "assert status == 200", added: "" })).toEqual([
    { text: "404 for Firefox", isCertain: false },
  ]);
  const also = "The server also answers 200 in Chrome and 404 in Firefox.";
  expect(findUnshownLiterals(also, { tests: "assert status == 200", added: "" })).toEqual([
    { text: "404 for Firefox", isCertain: false },
  ]);
});

test("what the reporter saw is no case, and a part of a word shows no value", () => {
  const seen = "I see it with `pip` in Docker and `poetry` in CI.";
  expect(findUnshownLiterals(seen, { tests: "run(pip)", added: "" })).toEqual([]);
  const got = "We got 5 in master and 7 in release-2.";
  expect(findUnshownLiterals(got, { tests: "assert count() == 5", added: "" })).toEqual([]);
  const tools = "It must call `pip` in Docker and `poetry` in CI.";
  expect(findUnshownLiterals(tools, { tests: "run(pipeline())", added: "" })).toEqual([]);
  expect(findUnshownLiterals(tools, { tests: "run(pip)", added: "" })).toEqual([
    { text: "`poetry` for CI", isCertain: true },
  ]);
});

test.each([
  "It must use 80 for http and 443 for https.",
  "The default is 80 for http and 443 for https.",
  "I think that it should be 80 for http,\n443 for https.",
])("a demanded pair or a default stays an open case: %s", (statement) => {
  const [open] = findUnshownLiterals(statement, { tests: "assert port() == 443", added: "" });
  expect(open).toEqual({ text: "80 for http", isCertain: !statement.startsWith("I ") });
});
