import { expect, test } from "vitest";
import { windowOf } from "./line-window.ts";

const lines = (count: number, width = 30): string[] => Array.from({ length: count }, () => "x".repeat(width));

test("a text that fits is shown to its end, and a range up to its last line", () => {
  expect(windowOf(lines(396), { startLine: 1 }, 400)).toEqual({ last: 396, rest: [] });
  expect(windowOf(lines(396), { startLine: 11, endLine: 20 }, 400)).toEqual({
    last: 20,
    rest: ["(376 more lines: continue with startLine 21)"],
  });
});

test("a long text is cut at its end, by lines or by characters, and says where to go on", () => {
  expect(windowOf(lines(1000), { startLine: 1 }, 200)).toEqual({
    last: 200,
    rest: ["(800 more lines: continue with startLine 201)"],
  });
  const { last, rest } = windowOf(lines(396, 80), { startLine: 1 }, 400);
  expect(last).toBeGreaterThan(150);
  expect(last * 86).toBeLessThan(16_000);
  expect(rest).toEqual([`(${396 - last} more lines: continue with startLine ${last + 1})`]);
});

test("at least one line is shown, and a start behind the end shows the end", () => {
  expect(windowOf(lines(3, 20_000), { startLine: 2 }, 400).last).toBe(2);
  expect(windowOf(lines(3), { startLine: 9 }, 400)).toEqual({ last: 3, rest: [] });
});
