/**
 * Runs tests on another date with libfaketime, if the machine has it. This reveals tests that depend on the calendar.
 */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { RunVariation } from "../bench/task-tests.ts";

export interface ShiftedDate {
  readonly variation: RunVariation;
  /** The date in words, for people. */
  readonly told: string;
}

/** Number of days to move the date: another year, month, day of the month and day of the week. */
const days = 439;

export function shiftedDate(): ShiftedDate {
  const library = findLibrary();
  if (library === undefined)
    return { variation: {}, told: "with the same date again, because libfaketime is missing" };
  // Clocks that measure durations stay unchanged.
  const env = { LD_PRELOAD: library, FAKETIME: `+${days}d`, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
  return { variation: { env }, told: `${days} days later` };
}

/**
 * Lists three future dates, each the last day of a period: of a long month before a short one, of February in a leap
 * year, and of a year.
 */
export function edgesAfter(today: Date): string[] {
  const year = today.getUTCFullYear();
  const edges = ["01-31", "02-29", "12-31"].flatMap((edge) => {
    // Two leap years are at most eight years apart.
    const years = Array.from({ length: 9 }, (_, at) => `${year + at}-${edge}`);
    return years.find((day) => toDay(new Date(day)) === day && day > toDay(today)) ?? [];
  });
  return edges.sort();
}

function toDay(date: Date): string {
  return Number.isNaN(date.valueOf()) ? "" : date.toISOString().slice(0, 10);
}

export interface EdgeDates {
  readonly dates: readonly ShiftedDate[];
  /** The reason, for people, why there are no dates. */
  readonly missing: string | undefined;
}

/** Returns days on which tests often fail if they compute with parts of the current date; none without libfaketime. */
export function shiftedDates(): EdgeDates {
  const library = findLibrary();
  if (library === undefined)
    return { dates: [], missing: "Millwright tried no other date, because libfaketime is missing" };
  const dates = edgesAfter(new Date()).map((day) => ({
    variation: {
      env: { LD_PRELOAD: library, FAKETIME: `@${day} 12:00:00`, FAKETIME_DONT_FAKE_MONOTONIC: "1" },
    },
    told: `on ${day}`,
  }));
  return { dates, missing: undefined };
}

/** Finds the library: in `/usr/lib/TRIPLET/faketime` on Debian's machines, in `/usr/lib/faketime` on others. */
function findLibrary(): string | undefined {
  const root = "/usr/lib";
  if (!existsSync(root)) return undefined;
  const folders = [root, ...readdirSync(root).map((name) => join(root, name))];
  return folders
    .map((folder) => join(folder, "faketime", "libfaketime.so.1"))
    .find((path) => existsSync(path));
}
