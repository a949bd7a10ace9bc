/**
 * Groups results by properties of the tasks, and compares the agent's verdicts with the grading. Uses only tries and
 * task facts.
 */
import type { BatchTry } from "./batch-document.ts";
import { isResolved, isVerified } from "./batch-report.ts";
import { type Interval, wilsonInterval } from "./statistics.ts";
import type { TaskFacts } from "./task-facts.ts";

type GroupedTry = Pick<BatchTry, "id" | "outcome" | "verdict">;

export interface Share {
  readonly count: number;
  readonly of: number;
  /** Wilson's 95 % interval; undefined if tasks have several attempts, which are not independent. */
  readonly interval: Interval | undefined;
}

export interface ResultGroup extends Share {
  readonly by: string;
  readonly value: string;
}

/** Upper ends of groups of numbers; the last group has no upper end. */
const sizes = [5, 20, 50, 200];
const rounds = [0, 2, 5, 10];
/** Groups of ages in days, as in Rust-SWE-bench (section 3). */
const ages: readonly (readonly [number, string])[] = [
  [1, "up to a day"],
  [7, "up to a week"],
  [30, "up to a month"],
  [182, "up to six months"],
  [Number.POSITIVE_INFINITY, "longer"],
];

interface Property {
  /** Returns the task's value; several values for a task in several groups. */
  readonly read: (facts: TaskFacts) => string | readonly string[] | undefined;
  /** Returns a value's position; default: sorts by name. */
  readonly order?: (value: string) => number;
}

const properties: Readonly<Record<string, Property>> = {
  dataset: { read: ({ dataset }) => dataset },
  kind: { read: ({ kind }) => kind },
  "type of the issue": { read: ({ issueTypes }) => issueTypes },
  language: { read: ({ language }) => language ?? undefined },
  repository: { read: ({ repository }) => repository },
  "lines of the fix": {
    read: ({ fix }) => (fix === null ? undefined : nameOfRange(fix.lines, sizes)),
    order: startOfRange,
  },
  "from issue to merge": {
    read: ({ days }) => (days === undefined ? undefined : ages.find(([most]) => days <= most)?.[1]),
    order: (value) => ages.findIndex(([, name]) => name === value),
  },
  "comments on the issue": {
    read: ({ comments }) => (comments === undefined ? undefined : nameOfRange(comments, rounds)),
    order: startOfRange,
  },
};

/**
 * Groups the tasks by each property, and counts the resolved attempts of each group. Omits properties that put all
 * tasks into one group. `areSeveral`: true if other arms of the report have another dataset. Then keeps the property
 * "dataset" even for a single group.
 */
export function groupResults(
  tries: readonly GroupedTry[],
  facts: readonly TaskFacts[],
  areSeveral = false,
): ResultGroup[] {
  const known = new Map(facts.map((each) => [each.id, each]));
  return Object.entries(properties).flatMap(([by, { read, order }]) => {
    const placed = tries.flatMap((tried) => {
      const own = known.get(tried.id);
      const values = own === undefined ? undefined : read(own);
      return [values ?? []].flat().map((value) => ({ value, tried }));
    });
    const groups = Map.groupBy(placed, ({ value }) => value);
    const named = [...groups].map(([value, all]) => ({ value, own: all.map(({ tried }) => tried) }));
    if (named.length < 2 && !(by === "dataset" && areSeveral)) return [];
    return named
      .sort((a, b) => (order?.(a.value) ?? 0) - (order?.(b.value) ?? 0) || (a.value < b.value ? -1 : 1))
      .map(({ value, own }) => ({ by, value, ...shareOf(own, own.filter(isResolved)) }));
  });
}

/** Names a number's group. `ends`: the groups' upper ends, ascending. */
function nameOfRange(value: number, ends: readonly number[]): string {
  const at = ends.findIndex((end) => value <= end);
  const end = ends[at];
  if (end === undefined) return `over ${ends.at(-1)}`;
  const from = (ends[at - 1] ?? 0) + 1;
  return from >= end ? String(end) : `${from} to ${end}`;
}

function startOfRange(name: string): number {
  return name.startsWith("over") ? Number.POSITIVE_INFINITY : Number.parseInt(name, 10);
}

/** The reliability of the agent's verdict "verified". An attempt without a verdict counts as not verified. */
export interface Calibration {
  /** Resolved attempts among the verified ones. */
  readonly precision: Share;
  /** Verified attempts among the resolved ones. */
  readonly recall: Share;
}

export function calibrate(tries: readonly GroupedTry[]): Calibration {
  const verified = tries.filter(isVerified);
  const right = verified.filter(isResolved);
  return { precision: shareOf(verified, right), recall: shareOf(tries.filter(isResolved), right) };
}

export interface ResolvedUpTo {
  /** Edited lines of the known fix. */
  readonly lines: number;
  /** Tasks whose fix has at most this number of lines; `resolved`: those that some attempt resolves. */
  readonly tasks: number;
  readonly resolved: number;
}

/**
 * For each size of the known fix, counts the tasks up to this size, and the resolved ones. A task is resolved if any
 * attempt resolves it. Smallest size first. Omits tasks without a known fix.
 */
export function resolvedBySize(tries: readonly GroupedTry[], facts: readonly TaskFacts[]): ResolvedUpTo[] {
  const attempted = Map.groupBy(tries, ({ id }) => id);
  const sized = facts.flatMap(({ id, fix }) => {
    const own = attempted.get(id);
    return fix === null || own === undefined ? [] : [{ lines: fix.lines, isResolved: own.some(isResolved) }];
  });
  const lines = [...new Set(sized.map((each) => each.lines))].sort((a, b) => a - b);
  return lines.map((most) => {
    const upTo = sized.filter((each) => each.lines <= most);
    const resolved = upTo.filter((each) => each.isResolved).length;
    return { lines: most, tasks: upTo.length, resolved };
  });
}

/** Maximum number of sizes in a table; the chart's data and `--json` have all. */
const mostSizes = 12;

/** Chooses evenly spaced sizes for a table. Always includes the largest size. */
export function sampleSizes(all: readonly ResolvedUpTo[]): ResolvedUpTo[] {
  const count = Math.min(mostSizes, all.length);
  return Array.from({ length: count }, (_, at) => Math.ceil(((at + 1) * all.length) / count) - 1).flatMap(
    (at) => all[at] ?? [],
  );
}

export function shareOf(
  all: readonly Pick<GroupedTry, "id">[],
  chosen: readonly Pick<GroupedTry, "id">[],
): Share {
  const isSingle = new Set(all.map(({ id }) => id)).size === all.length;
  const [count, of] = [chosen.length, all.length];
  return { count, of, interval: isSingle ? wilsonInterval(count, of) : undefined };
}
