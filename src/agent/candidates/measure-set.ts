/** Applies a set of candidates to the base together and runs the tests, as a row of the matrix. */

import { countOf, wordFor } from "../../base/count.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Selection } from "../../languages/contract.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { changedFiles } from "../code/changed-files.ts";
import { findBroken } from "../measure/regressions.ts";
import { runOn } from "../measure/run-candidate.ts";
import { tellOthers } from "../state/other-results.ts";
import { findCandidate, type MatrixRow, type TaskState } from "../state/task-state.ts";
import type { Suite } from "../suite.ts";

/** In milliseconds. If the suite takes longer, a set runs only its own tests and those of `testsFor`. */
const longestSuiteMs = 90_000;

/**
 * Measures several candidates applied together, as a row with a name such as `c1+t2`. This row judges none of the
 * candidates. An empty set measures the base. Runs all tests; in a slow or partly run suite, only the set's own tests
 * and those of `testsFor`. Fails for an unknown id, or if the candidates conflict.
 */
export async function measureSet(
  context: RunContext & Pick<ActionContext, "regions">,
  state: TaskState,
  ids: readonly string[],
): Promise<Result<MatrixRow, "unknown" | "conflict">> {
  const { workspace, suite } = context;
  const { trees, base } = workspace;
  const found = ids.map((id) => findCandidate(state, id));
  const missing = ids.filter((_, index) => found[index] === undefined);
  if (missing.length > 0) return fail("unknown", `There is no candidate ${missing.join(", ")}`);
  // Whole trees: with all changes of their parents.
  const whole = found.filter((each) => each !== undefined).map(({ parent: _, ...each }) => each);
  const composed = await trees.compose(base, whole, () => base);
  if (!composed.ok)
    return fail("conflict", `${ids.join(" and ")} cannot be applied together: ${composed.message}`);
  const { tests, inside } = await changedFiles(trees, context.regions, base, composed.value);
  const isAll = suite.part === undefined && suite.durationMs <= longestSuiteMs;
  const runs: Selection[] = isAll
    ? [{ kind: "all" }]
    : [
        ...(tests.length + inside.length === 0
          ? []
          : [{ kind: "files" as const, files: [...tests, ...inside] }]),
        ...asTests(testsFor(state, suite, whole)),
      ];
  const outcomes = new Map<string, TestOutcome>();
  let invalid: string | undefined;
  for (const selection of runs) {
    const ran = await runOn(context, composed.value, selection);
    for (const outcome of ran.outcomes) outcomes.set(formatTestKey(outcome.key), outcome);
    invalid ??= ran.invalid;
  }
  const row = rowOfSet(state, ids, suite, { outcomes: [...outcomes.values()], invalid, isAll });
  return succeed({ ...row, candidate: nameOfSet(ids) });
}

/**
 * Names a set of candidates: `c1+t2`, `base+c1` for a single candidate, or `base` for an empty set. `c1` alone names
 * the candidate's own row, which judges it and includes the written tests.
 */
export function nameOfSet(ids: readonly string[]): string {
  return ids.length > 1 ? ids.join("+") : ["base", ...ids].join("+");
}

function asTests(tests: readonly TestKey[]): Selection[] {
  return tests.length === 0 ? [] : [{ kind: "tests", tests }];
}

/**
 * Selects the tests to run for a set: those that show the fault, and base tests that any candidate broke. If the set
 * contains no tests, omits tests that are not in the base.
 */
export function testsFor(
  { fault, rows }: Pick<TaskState, "fault" | "rows">,
  suite: Pick<Suite, "outcomes">,
  set: readonly Pick<Candidate, "kind">[],
): TestKey[] {
  const broken = new Set(rows.flatMap((row) => row.broken ?? []));
  const own = suite.outcomes.map(({ key }) => key);
  const ofBase = new Set(own.map(formatTestKey));
  const hasTests = set.some(({ kind }) => kind !== "code");
  const targets = (fault?.targets ?? []).filter((key) => hasTests || ofBase.has(formatTestKey(key)));
  const asked = new Set(targets.map(formatTestKey));
  return [
    ...targets,
    ...own.filter((key) => broken.has(formatTestKey(key)) && !asked.has(formatTestKey(key))),
  ];
}

/** Counts the results by their status, so that a skipped test does not look like a failing one. */
export function tellCounts(outcomes: readonly TestOutcome[]): string {
  const failing = outcomes.filter(({ status }) => isFailing(status)).length;
  return [
    `${count(outcomes)} of ${countOf(outcomes.length, "test")} ${wordFor(count(outcomes), "passes", "pass")}`,
    ...(failing === 0 ? [] : [`${failing} ${wordFor(failing, "fails", "fail")}`]),
    ...tellOthers(outcomes),
  ].join(", ");
}

function count(these: readonly TestOutcome[]): number {
  return these.filter(({ status }) => status === "passed").length;
}

interface Ran {
  readonly outcomes: readonly TestOutcome[];
  readonly invalid: string | undefined;
  readonly isAll: boolean;
}

/** Makes the row of a set. Its targets are new tests, and tests that show the fault. */
export function rowOfSet(
  { fault }: Pick<TaskState, "fault">,
  ids: readonly string[],
  suite: Pick<Suite, "outcomes" | "part">,
  { outcomes, invalid, isAll }: Ran,
): MatrixRow {
  // Before the base's tests run, nobody knows which tests are new.
  const isUnrun = suite.part !== undefined && suite.outcomes.length === 0;
  const base = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const asked = new Set((fault?.targets ?? []).map(formatTestKey));
  const isNew = ({ key }: TestOutcome): boolean => !isUnrun && !base.has(formatTestKey(key));
  const ran = outcomes.filter(({ status }) => status !== "not-run");
  const targets = ran.filter((outcome) => isNew(outcome) || asked.has(formatTestKey(outcome.key)));
  const broken = isAll ? findBroken(suite.outcomes, outcomes, fault?.targets) : undefined;
  const parts = [
    tellCounts(ran),
    ...(targets.length === 0
      ? []
      : [
          `${count(targets)} of ${countOf(targets.length, "test")} that ${wordFor(targets.length, "is new or shows", "are new or show")} the fault ${wordFor(count(targets), "passes", "pass")}`,
        ]),
    ...(broken === undefined
      ? ["not all tests were run"]
      : [
          broken.length === 0
            ? "no previously passing test breaks"
            : `${countOf(broken.length, "previously passing test")} ${wordFor(broken.length, "breaks", "break")}`,
        ]),
  ];
  const candidate = ids.length === 0 ? "base" : ids.join("+");
  const told = invalid === undefined ? parts.join("; ") : `the run cannot be trusted: ${invalid}`;
  const score = [count(targets), -(broken?.length ?? Number.MAX_SAFE_INTEGER)];
  return { candidate, outcomes, targets, broken, invalid, told, score };
}
