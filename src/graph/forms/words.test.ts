import { expect, it } from "vitest";
import { splitIdentifier } from "../terms.ts";
import { hashTerm, stem } from "./words.ts";

it("splits identifiers by case, digits and underscore", () => {
  const parts = (text: string): string => splitIdentifier(text).join(" ");
  expect(parts("parseHTTPUrl2")).toBe("parse http url 2");
  expect(parts("required_unless_present")).toBe("required unless present");
  expect(parts("MAX_SIZE")).toBe("max size");
  expect(parts("__init__")).toBe("init");
  expect(parts("$scope")).toBe("scope");
});

it("lets forms of one word meet, and leaves others apart", () => {
  for (const [a, b] of [
    ["decompressed", "decompression"],
    ["decompress", "decompressing"],
    ["headers", "header"],
    ["parsing", "parser"],
    ["stopped", "stops"],
    ["queries", "query"],
    ["validate", "validation"],
  ] as const)
    expect(stem(a), `${a} and ${b}`).toBe(stem(b));
  for (const [a, b] of [
    ["class", "clas"],
    ["status", "stat"],
    ["string", "stress"],
    ["port", "part"],
  ] as const)
    expect(stem(a), `${a} and ${b}`).not.toBe(stem(b));
});

it("keeps words, identifiers and pairs apart", () => {
  expect(
    new Set([hashTerm("a b", "word"), hashTerm("a b", "identifier"), hashTerm("a b", "pair")]).size,
  ).toBe(3);
});
