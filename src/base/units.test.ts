import { expect, test } from "vitest";
import { formatDuration, formatSize, parseDuration, parseSize } from "./units.ts";

test("durations are read as people write them", () => {
  expect(["30m", "1h30m", "250ms", "90", "1.5s", "2d"].map(parseDuration)).toEqual([
    1_800_000, 5_400_000, 250, 90_000, 1500, 172_800_000,
  ]);
  expect(["", "m", "10x", "-5s", "5s later"].map(parseDuration)).toEqual(Array(5).fill(undefined));
});

test("sizes are read as people write them", () => {
  expect(["512m", "4g", "4GiB", "1024", "1.5k"].map(parseSize)).toEqual([
    512 * 1024 ** 2,
    4 * 1024 ** 3,
    4 * 1024 ** 3,
    1024,
    1536,
  ]);
  expect(["", "g", "4 parsecs", "-1m"].map(parseSize)).toEqual(Array(4).fill(undefined));
});

test("durations and sizes are shown in units that fit", () => {
  expect([400, 12_000, 185_000, 7_260_000].map(formatDuration)).toEqual([
    "0.4 s",
    "12 s",
    "3 min 5 s",
    "2 h 1 min",
  ]);
  expect([12, 1536, 4 * 1024 ** 3].map(formatSize)).toEqual(["12 B", "1.5 KiB", "4 GiB"]);
});
