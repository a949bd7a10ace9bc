/** Describes tests that passed on the base but not with a patch: failed, removed, renamed, or not run. */
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";

type Fate =
  | "fail"
  | "fail outside any test"
  | "exceeded Millwright's time limit for one test"
  | "do not load"
  | "were removed"
  | "were renamed"
  | "are skipped"
  | "did not run"
  | "changed";

/** The order of the fates in the description. */
const fates: readonly Fate[] = [
  "fail",
  "fail outside any test",
  "exceeded Millwright's time limit for one test",
  "do not load",
  "were removed",
  "were renamed",
  "are skipped",
  "did not run",
  "changed",
];
const one: Readonly<Record<Fate, string>> = {
  fail: "fails",
  "fail outside any test": "fails outside any test",
  "exceeded Millwright's time limit for one test": "exceeded Millwright's time limit for one test",
  "do not load": "does not load",
  "were removed": "was removed",
  "were renamed": "was renamed",
  "are skipped": "is skipped",
  "did not run": "did not run",
  changed: "changed",
};
const mostNames = 3;

/**
 * Describes broken tests by their fates: the number of tests, and the names of the first three. `broken`: ids from
 * `findRegressions`. Those that `base` lacks are failures outside any test. `candidate`: the results of complete runs. A
 * test without a result in these runs counts as renamed if exactly one new passing test takes its place. Otherwise it
 * counts as removed, or as not loaded if its target did not load.
 */
export function describeBroken(
  broken: readonly string[],
  base: readonly TestOutcome[],
  candidate: readonly TestOutcome[],
): string {
  const wanted = new Set(broken);
  const after = new Map(candidate.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const gone = base.filter(({ key }) => wanted.has(formatTestKey(key)) && !after.has(formatTestKey(key)));
  const renamed = findRenamed(gone, base, candidate);
  const groups = new Map<Fate, string[]>();
  for (const { key } of base) {
    const id = formatTestKey(key);
    if (!wanted.has(id)) continue;
    const successor = renamed.get(id);
    const fate = successor === undefined ? fateOf(key, after) : "were renamed";
    const name = successor === undefined ? id : `${id} is now ${successor}`;
    groups.set(fate, [...(groups.get(fate) ?? []), name]);
  }
  const known = new Set(base.map(({ key }) => formatTestKey(key)));
  const outside = broken.filter((id) => !known.has(id));
  if (outside.length > 0) groups.set("fail outside any test", outside);
  return fates
    .flatMap((fate) => {
      const names = groups.get(fate);
      if (names === undefined) return [];
      const verb = names.length === 1 ? one[fate] : fate;
      return [`${names.length} ${verb}: ${names.slice(0, mostNames).join(", ")}`];
    })
    .join("; ");
}

function fateOf(key: TestKey, after: ReadonlyMap<string, TestOutcome>): Fate {
  const status = after.get(formatTestKey(key))?.status;
  if (status === undefined) {
    const target = after.get(formatTestKey({ ...key, name: "" }));
    return target !== undefined && isFailing(target.status) ? "do not load" : "were removed";
  }
  if (status === "timed-out") return "exceeded Millwright's time limit for one test";
  if (isFailing(status)) return "fail";
  if (status === "skipped") return "are skipped";
  return status === "not-run" ? "did not run" : "changed";
}

/** Maps a missing test's id to its new test: the only one with this name in another target, or in its group. */
function findRenamed(
  gone: readonly TestOutcome[],
  base: readonly TestOutcome[],
  candidate: readonly TestOutcome[],
): ReadonlyMap<string, string> {
  const known = new Set(base.map(({ key }) => formatTestKey(key)));
  const fresh = candidate.filter(({ key, status }) => status === "passed" && !known.has(formatTestKey(key)));
  const found = new Map<string, string>();
  for (const { key } of gone) {
    const moved = fresh.filter((outcome) => outcome.key.name === key.name);
    const place = placeOf(key);
    const alike = fresh.filter((outcome) => placeOf(outcome.key) === place);
    const alone = gone.filter((outcome) => placeOf(outcome.key) === place).length === 1;
    const [successor] = moved.length === 1 ? moved : alone && alike.length === 1 ? alike : [];
    if (successor !== undefined) found.set(formatTestKey(key), formatTestKey(successor.key));
  }
  return found;
}

/** The group of a test: `TestZone` for `TestZone::test_find[1-2]`. */
function placeOf(key: TestKey): string {
  const plain = key.name.replace(/\[.*\]$/s, "");
  const group = /^(.*)(?:::|\.| > |\/)/s.exec(plain)?.[1] ?? "";
  return formatTestKey({ ...key, name: group });
}
