/**
 * Runs a candidate's tests with the candidate's own test configuration, if it changes how tests are found, run or
 * reported. The gate uses the base's configuration, so a candidate that passes only with its own configuration is not
 * verified.
 */

import { nameFirst } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { findStatus } from "../../domain/test-outcome.ts";
import type { RunContext } from "../action.ts";
import { findRegressions } from "../measure/regressions.ts";
import { composeTree, runOn } from "../measure/run-candidate.ts";
import type { TaskState } from "../state/task-state.ts";
import { gateHolds } from "./repair-gate.ts";

const predicate = "base-configuration-judges";
const mostNamed = 3;

/**
 * Judges a candidate that changes the test configuration, with its own configuration; empty for other candidates.
 * `gate`: the judgement with the base's configuration.
 */
export async function judgeOwnConfiguration(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
  gate: readonly Predicate[],
): Promise<Predicate[]> {
  const { executor, suite } = context;
  const { laid } = await executor.judged(suite.command, candidate.tree);
  if (laid.length === 0) return [];
  const files = nameFirst(laid, mostNamed);
  const composed = await composeTree(context, state, candidate);
  if (!composed.ok) return [{ predicate, holds: false, evidence: composed.message }];
  const { outcomes, invalid } = await runOn(context, composed.value, { kind: "all" }, 1, "own");
  const { targets = [], guards = [] } = state.fault ?? {};
  const passes =
    invalid === undefined &&
    findRegressions([...suite.outcomes, ...guards], outcomes).length === 0 &&
    targets.every((key) => findStatus(outcomes, key) === "passed");
  const holds = gateHolds(gate);
  const said =
    holds && passes
      ? "its tests pass with the base's configuration and with its own"
      : passes
        ? "its tests pass with its own configuration, but not all other conditions hold with the base's"
        : holds
          ? "its tests pass with the base's configuration, not with its own"
          : "its tests do not pass with its own configuration, and not all other conditions hold with the base's";
  return [
    {
      predicate,
      holds: holds && passes,
      evidence: `the patch changes how tests are found, run or reported (${files}); ${said}`,
    },
  ];
}
