/**
 * Removes failing tests that do not concern the fault from a measurement: tests that fail because of the machine or of
 * other faults.
 */
import { formatTestKey, isFailing, type TestOutcome } from "../src/domain/test-outcome.ts";
import type { FaultSigns } from "../src/localize/fault-signs.ts";

/** The signs of the named tests alone; all where none of the names is found. */
export function focusOn(signs: FaultSigns, names: readonly string[]): FaultSigns {
  const wanted = names.map(plain).filter((name) => name !== "");
  const isWanted = ({ key }: TestOutcome): boolean => {
    const text = plain(formatTestKey(key));
    return wanted.some((name) => text.endsWith(name) || plain(key.name) === name);
  };
  const failing = signs.outcomes.filter(({ status }) => isFailing(status));
  const kept = failing.filter(isWanted);
  if (kept.length === 0 || kept.length === failing.length) return signs;
  const files = new Set<string>();
  for (const { key, failure } of kept) {
    for (const file of Object.keys(signs.coverage.get(formatTestKey(key)) ?? {})) files.add(file);
    for (const { file } of failure?.frames ?? []) files.add(file);
  }
  const touched = [...signs.texts].filter(([file]) => files.has(file));
  return {
    ...signs,
    outcomes: signs.outcomes.filter((outcome) => !isFailing(outcome.status) || isWanted(outcome)),
    texts: touched.length === 0 ? signs.texts : new Map(touched),
  };
}

/** Frameworks join the groups of a name in many ways. */
function plain(name: string): string {
  return name
    .replaceAll(/\s*(?:>|::|›|\s)\s*/g, " ")
    .trim()
    .toLowerCase();
}
