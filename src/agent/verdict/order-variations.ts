/**
 * Chooses other orders of a list whose sorted elements a test expects. Sorting gives the same result for each order, so
 * the test must pass with each. Pure.
 */
import type { LiteralEdit, WrittenLiteral } from "../../judging/vary-tests.ts";

const sorting =
  /\b(?:sort(?:s|ed|ing)?|smallest|largest|lowest|highest|shortest|longest|ascending|descending|increasing|decreasing|alphabetical(?:ly)?)\b/i;
/** Words of a request for a sorted result. "Moves the largest element to the end" asks for one step. */
const asksSorted =
  /\b(?:sort(?:s|ed|ing)?|ascending|descending|increasing|decreasing|alphabetical(?:ly)?|(?:smallest|largest|lowest|highest|shortest|longest)\s+(?:\w+\s+)?first|from\s+(?:the\s+)?(?:smallest|largest|lowest|highest|shortest|longest))\b/i;
/** Words for steps of sorting. A step's result may depend on the given order. */
const steps = /(?<![a-z])(?:pass|merg\w+|insert\w*|partition\w*|steps?|hal(?:f|ves)|heap\w*)(?![a-z])/i;
const fewest = 3;

interface TestText {
  readonly text: string;
  /** The literals of the test itself, in source order. */
  readonly literals: readonly WrittenLiteral[];
}

interface OtherOrder {
  /** The lists as written, without brackets. */
  readonly given: string;
  readonly other: string;
  readonly edit: LiteralEdit;
}

/**
 * Returns other orders if the test has no other literals than a list of at least three different elements and the same
 * list sorted, and the prose mentions sorting.
 */
export function listOrders({ text, literals }: TestText, prose: string): OtherOrder[] {
  const groups = groupLists(text, literals);
  const [one, two, more] = groups;
  if (!sorting.test(prose) || one === undefined || two === undefined || more !== undefined) return [];
  if (one.length + two.length !== literals.length || !isPermutation(one, two)) return [];
  const given = isSorted(two) ? one : isSorted(one) ? two : undefined;
  if (given === undefined || isSorted(given)) return [];
  const expected = given === one ? two : one;
  const own = given.map(({ written }) => written);
  const rotate = (by: number): string[] => [...own.slice(by), ...own.slice(0, by)];
  const orders = [own.toReversed(), rotate(1), rotate(own.length - 1)];
  const known = [own, expected.map(({ written }) => written)].map(String);
  const [first, last] = [given[0], given.at(-1)];
  if (first === undefined || last === undefined) return [];
  return orders
    .filter((order) => !known.includes(String(order)))
    .map((order): OtherOrder => {
      const replacement = order.join(", ");
      const edit = { start: first.start, end: last.end, line: first.line, replacement };
      return { given: own.join(", "), other: replacement, edit };
    });
}

/** True if each order of a list must give the same result. Otherwise another result is only a doubt. */
export function asksForOrder(prose: string): boolean {
  return asksSorted.test(prose) && !steps.test(prose);
}

/** Groups literals into lists: only commas between them, and brackets around them. */
function groupLists(text: string, literals: readonly WrittenLiteral[]): WrittenLiteral[][] {
  const groups: WrittenLiteral[][] = [];
  for (const literal of literals) {
    const last = groups.at(-1)?.at(-1);
    const isNext = last !== undefined && /^\s*,\s*$/.test(text.slice(last.end, literal.start));
    if (isNext) groups.at(-1)?.push(literal);
    else groups.push([literal]);
  }
  const isList = (group: readonly WrittenLiteral[]): boolean =>
    group.length >= fewest &&
    /[[({]\s*$/.test(text.slice(0, group[0]?.start)) &&
    /^\s*,?\s*[\])}]/.test(text.slice(group.at(-1)?.end));
  return groups.filter(isList);
}

function isPermutation(one: readonly WrittenLiteral[], two: readonly WrittenLiteral[]): boolean {
  const [first, second] = [one, two].map((list) => list.map(({ written }) => written).toSorted());
  const isDistinct = new Set(first).size === one.length;
  return isDistinct && String(first) === String(second);
}

/** True if the list is sorted by value, in either direction. */
function isSorted(list: readonly WrittenLiteral[]): boolean {
  const values = list.map(({ role, written }) =>
    role === "number" ? Number(written.replaceAll("_", "")) : written,
  );
  if (values.some((value) => typeof value === "number" && Number.isNaN(value))) return false;
  const holds = (isBefore: (a: string | number, b: string | number) => boolean): boolean =>
    values.every((value, at) => at === 0 || isBefore(values[at - 1] ?? value, value));
  return holds((a, b) => a <= b) || holds((a, b) => a >= b);
}
