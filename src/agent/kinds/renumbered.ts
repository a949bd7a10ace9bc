/**
 * Cases that a test makes of the product's own data have its numbers in their names: `TestTime/17;type=1;iso` is `TestTime/18;type=1;iso`
 * once the patch puts an entry before it, and `TestTime/17;type=2;iso` where it mends the entry. They count as gone by their names alone.
 * With the tests as the base has them, the cases that differ from those in numbers alone are the same ones, where as many pass as are gone:
 * of an entry that is taken away none is left. Pure.
 */
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";

export function isNumbered({ name }: TestKey): boolean {
  return /\d/.test(name);
}

/** By the id of each of `gone` that is there with other numbers: how it ended, under its own key. `base`: all tests that it has. */
export function pairRenumbered(
  gone: readonly TestKey[],
  base: readonly TestKey[],
  outcomes: readonly TestOutcome[],
): ReadonlyMap<string, TestOutcome> {
  const known = new Set(base.map(formatTestKey));
  const fresh = outcomes.filter(({ key }) => !known.has(formatTestKey(key)));
  const found = new Map<string, TestOutcome>();
  for (const [form, keys] of Map.groupBy(gone.filter(isNumbered), formOf)) {
    const alike = fresh.filter(({ key }) => formOf(key) === form);
    if (alike.length !== keys.length || alike.some(({ status }) => status !== "passed")) continue;
    for (const [at, key] of keys.entries()) {
      const outcome = alike[at];
      if (outcome !== undefined) found.set(formatTestKey(key), { ...outcome, key });
    }
  }
  return found;
}

function formOf(key: TestKey): string {
  return formatTestKey({ ...key, name: key.name.replaceAll(/\d+/g, "#") });
}
