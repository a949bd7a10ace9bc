/**
 * Cases that a test makes of the product's own data, numbered: `TestTime/17;rfc/utc` is `TestTime/18;rfc/utc` once the patch puts an entry
 * before it. They count as gone by their names alone. Asked with the tests as the base has them, a case is the one that has its name but
 * for a higher number, where as many such cases pass as are gone: what is taken away from the data lowers numbers, and is paired with none.
 */
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";

/** The number at the beginning of a part of a name, or at its end behind `#`. */
const number = /(?<=^|\/|\[| > )\d+(?=[;:_. -])|(?<=#)\d+(?=$|\/)/g;

export function isNumbered({ name }: TestKey): boolean {
  return numbersOf(name).length > 0;
}

/** By the id of each of `gone` that is there under another number: how it ended. `base`: all tests that it has. */
export function pairRenumbered(
  gone: readonly TestKey[],
  base: readonly TestKey[],
  outcomes: readonly TestOutcome[],
): ReadonlyMap<string, TestOutcome> {
  const known = new Set(base.map(formatTestKey));
  const fresh = outcomes.filter(({ key }) => !known.has(formatTestKey(key)) && isNumbered(key));
  const found = new Map<string, TestOutcome>();
  for (const [form, keys] of Map.groupBy(gone.filter(isNumbered), formOf)) {
    const alike = fresh.filter(({ key }) => formOf(key) === form);
    if (alike.length !== keys.length || alike.some(({ status }) => status !== "passed")) continue;
    const [old, now] = [keys.toSorted(byNumbers), alike.toSorted((a, b) => byNumbers(a.key, b.key))];
    const pairs = old.flatMap((key, at) => {
      const outcome = now[at];
      return outcome !== undefined && isHigher(outcome.key, key) ? [[key, outcome] as const] : [];
    });
    if (pairs.length === keys.length)
      for (const [key, outcome] of pairs) found.set(formatTestKey(key), { ...outcome, key });
  }
  return found;
}

function formOf(key: TestKey): string {
  return formatTestKey({ ...key, name: key.name.replaceAll(number, "#") });
}

function numbersOf(name: string): number[] {
  return [...name.matchAll(number)].map(([text]) => Number(text));
}

function byNumbers(one: TestKey, other: TestKey): number {
  const [a, b] = [numbersOf(one.name), numbersOf(other.name)];
  return a.map((value, at) => value - (b[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function isHigher(now: TestKey, before: TestKey): boolean {
  const [a, b] = [numbersOf(now.name), numbersOf(before.name)];
  return a.every((value, at) => value >= (b[at] ?? 0)) && a.some((value, at) => value > (b[at] ?? 0));
}
