import { describe, expect, it, test } from "vitest";
import { countTerms, scoreTexts, splitWords } from "./terms.ts";

test.each([
  ["findZone2", ["find", "zone2"]],
  ["find_zone_2", ["find", "zone", "2"]],
  ["HTTPServer", ["http", "server"]],
  ["--", []],
])("%s is split by case and underscore", (name, words) => {
  expect(splitWords(name)).toEqual(words);
});

test("a text counts its identifiers whole and in parts, without what stands everywhere", () => {
  expect(Object.fromEntries(countTerms("expect(findZone(zone)).toEqual(12.5)"))).toEqual({
    find: 1,
    zone: 2,
    find_zone: 1,
    "12.5": 1,
  });
});

describe("scoreTexts", () => {
  const documents = ["open close open", "close", "turn"].map((text) => countTerms(text));

  it("gives the figures of Okapi BM25, divided by the best", () => {
    const rarity = Math.log(1 + (3 - 2 + 0.5) / 2.5);
    const score = (length: number): number => (rarity * 2.2) / (1 + 1.2 * (0.25 + (0.75 * length) / (5 / 3)));
    const [first, second, third] = scoreTexts(documents, new Map([["close", 1]]));
    expect(second).toBe(1);
    expect(first).toBeCloseTo(score(3) / score(1), 12);
    expect(third).toBe(0);
  });

  it("holds a rare term higher than one that stands everywhere", () => {
    const [first = 0, , third = 0] = scoreTexts(
      documents,
      new Map([
        ["close", 1],
        ["turn", 1],
      ]),
    );
    expect(third).toBeGreaterThan(first);
  });

  it("is 0 for all where nothing is found", () => {
    expect(scoreTexts(documents, new Map([["shut", 1]]))).toEqual([0, 0, 0]);
    expect(scoreTexts([], new Map())).toEqual([]);
  });
});
