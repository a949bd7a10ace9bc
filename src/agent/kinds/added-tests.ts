/** Judges the tests that a review or a reproduction added in the run. For every kind, the candidate must pass them. */

import { countOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext, RunContext } from "../action.ts";
import { composeTree } from "../measure/run-candidate.ts";
import type { TaskState } from "../state/task-state.ts";
import { runAgain } from "./new-tests.ts";

const predicate = "added-tests-pass";

/**
 * Judges the tests that the run added; empty if there are none. For a patch of code, these are the tests that show the
 * fault, and the guards. For a patch of tests, only the guards count: the other tests fail until the code is fixed.
 * Runs failures a second time: a flaky test does not count.
 */
export async function judgeAdded(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Predicate[]> {
  const tests = addedTests(context, state, candidate.kind);
  if (tests.length === 0) return [];
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return [{ predicate, holds: false, evidence: composed.message }];
  const failing = async (keys: readonly TestKey[], again: number): Promise<TestKey[]> => {
    if (keys.length === 0) return [];
    const ran = await runAgain(context, composed.value, keys, again);
    return ran.filter(({ status }) => status !== "passed").map(({ key }) => key);
  };
  const broken = await failing(await failing(tests, 1), 2);
  const names = broken.slice(0, 3).map(formatTestKey).join(", ");
  const evidence =
    broken.length === 0
      ? `${countOf(tests.length, "test that the run added passes", "tests that the run added pass")}`
      : `${broken.length} of ${countOf(tests.length, "test")} that the run added ${wordFor(broken.length, "does", "do")} not pass: ${names}`;
  return [{ predicate, holds: broken.length === 0, evidence }];
}

function addedTests(
  { suite }: Pick<ActionContext, "suite">,
  { fault }: Pick<TaskState, "fault">,
  kind: Candidate["kind"],
): TestKey[] {
  const { targets = [], guards = [] } = fault ?? {};
  const known = new Set(suite.outcomes.map(({ key }) => formatTestKey(key)));
  const added = [...(kind === "code" ? targets : []), ...guards.map(({ key }) => key)];
  return added.filter((key) => !known.has(formatTestKey(key)));
}
