/**
 * Pairs test cases whose names contain numbers from the product's own data. Example: `TestTime/17;type=1;iso` becomes
 * `TestTime/18;type=1;iso` if the patch inserts an earlier entry, and `TestTime/17;type=2;iso` if it fixes the entry.
 * By name alone, such cases would count as removed.
 *
 * Pairs missing cases with new cases whose names differ only in numbers. There must be equally many missing and new
 * cases, and all new ones must pass. A removed entry therefore has no counterpart. Pure.
 */
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";

export function isNumbered({ name }: TestKey): boolean {
  return /\d/.test(name);
}

/**
 * Finds tests of `gone` that still exist under other numbers. Maps each old id to the new result. `base`: the keys of
 * all tests on the base.
 */
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
