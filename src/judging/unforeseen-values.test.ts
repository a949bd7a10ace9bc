import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { type Choice, unforeseenDistance, unforeseenNumber, unforeseenText } from "./unforeseen-values.ts";

const choice = (given: Partial<Choice> = {}): Choice => ({
  ...{ shown: [], isAgain: false, code: "assert fee(7) == 25", isPart: false, isNegative: false },
  ...{ pick: () => 0, ...given },
});

test.each([
  ["pytest", "assert 20 == 25\n +  where 20 = fee(7)", "20"],
  ["cargo", "assertion `left == right` failed\n  left: 20\n right: 25", "20"],
  ["Go", "Fee(7) = 20, want 25", "20"],
  ["jest", "Expected: \u001b[32m25\u001b[39m\nReceived: \u001b[31m20\u001b[39m", "20"],
  ["a negative result", "assert -4 == 25", "(-4)"],
  ["a result that equals an input", "Fee(7) = 7, want 25", "7"],
  ["no result", "the prices differ", "1"],
])("expects the wrong result that the base's failure shows: %s", (_, message, expected) => {
  expect(unforeseenNumber("25", choice({ shown: [message] }))?.text).toBe(expected);
});

test("chooses smaller and larger numbers that fit the type of the old one", () => {
  const all = Array.from({ length: 300 }, (_, at) =>
    Number(unforeseenNumber("100", choice({ pick: (below) => at % below }))?.text),
  );
  expect(Math.min(...all)).toBe(1);
  expect(Math.max(...all)).toBe(127);
  expect(all).not.toContain(100);
  expect(new Set(all.map((each) => each % 2)).size).toBe(2);
});

test("keeps suffixes and fractions, and never expects the old value", () => {
  expect(unforeseenNumber("25u32", choice({ shown: ["20 is not 25"] }))?.text).toBe("20u32");
  expect(unforeseenNumber("2.5", choice({ shown: ["2 is not 2.5"] }))?.text).toBe("2.0");
  expect(unforeseenNumber("0x7", choice())).toBeUndefined();
  for (const value of ["0", "1", "2", "3", "127", "255"])
    for (const at of [0, 1, 2, 3, 126, 253])
      for (const isPart of [true, false]) {
        const chosen = unforeseenNumber(value, choice({ isPart, pick: (below) => Math.min(at, below - 1) }));
        expect(chosen?.text).not.toBe(value);
      }
});

test("expects a result that the patch's own failure shows, unless the failure shows the old value", () => {
  const again = (message: string): boolean | undefined =>
    unforeseenNumber("25", choice({ isAgain: true, code: "fee(7) == 25\nfee(7) == 20", shown: [message] }))
      ?.isShown;
  expect(again("assert 19 == 20")).toBe(true);
  expect(again("assert 25 == 20, after 13 ms")).toBe(false);
});

test.each([
  ["8.333333", "expected: <9.0> but was: <8.333333333333334>"],
  ["8.33", "9.0 is not 8.3349"],
  ["1000", "995 is not 1200"],
])("expects no result that a tolerance may accept: %s", (written, message) => {
  const given = choice({ isAgain: true, code: `check(fee(7), ${written})`, shown: [message] });
  expect(unforeseenNumber(written, given)?.isShown).toBe(false);
});

test("asks for no more random numbers than there are", () => {
  for (const written of ["500000000000000", "140737488355328", "140737488355329", "999999999999999"])
    for (const isPart of [true, false])
      expect(unforeseenNumber(written, choice({ isPart, pick: randomInt }))?.text).toMatch(/^[1-9]\d*$/);
});

test("expects a distance that the tolerance excludes", () => {
  const given = choice({ shown: ["20 is not 25"], code: "assert abs(fee(7) - 25) < 3" });
  expect(unforeseenDistance("25", "2", given)).toBe("20");
  // A correct result may be 23, which is nearer to 20 than the tolerance.
  expect(unforeseenDistance("25", "3", given)).toBeUndefined();
  expect(unforeseenDistance("25", "30", given)).toBeUndefined();
});

test("expects the text that the base shows, or a similar one", () => {
  expect(unforeseenText("late", choice({ shown: ["assert 'early' == 'late'"] })).text).toBe("early");
  expect(unforeseenText("2024-01-05", choice()).text).toBe("2024-01-01");
  expect(unforeseenText("late", choice()).text).toBe("laaaate");
});
