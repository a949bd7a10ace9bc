/** Derives the fault from the failing tests of the base. */

import type { Result } from "../../base/result.ts";
import type { TaskKind } from "../../domain/task.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import { rulesOf } from "../kinds/rules-of.ts";
import { type AskedAgain, type Baseline, baselineOf } from "../measure/baseline.ts";
import type { MeasurementContext } from "../measure/measurement.ts";
import type { ShownFault } from "../state/task-state.ts";
import type { Suite, TestExecutor } from "../suite.ts";

interface OfKind {
  readonly task: MeasurementContext["task"] & { readonly kind: TaskKind };
}

/**
 * Returns the baseline with its failing tests. Undefined if no test fails. Also undefined if the task's kind delivers
 * tests, because existing failures are then irrelevant.
 */
export async function faultyBaseline(
  context: MeasurementContext & OfKind,
  executor: TestExecutor,
  suite: Suite,
  asked: AskedAgain = {},
): Promise<Result<Baseline, "nothing-fails"> | undefined> {
  const fails = suite.outcomes.some(({ status }) => isFailing(status));
  if (!fails || rulesOf(context.task.kind).delivers !== "code") return undefined;
  return baselineOf(context, executor, suite, asked);
}

/** Returns the fault that the failing tests of the base show. Undefined if the statement may report another fault. */
export function faultOf(
  { targets, runs, reason: found, isCertain }: Baseline,
  kind: TaskKind,
): ShownFault | undefined {
  if (!found.holds || !isCertain) return undefined;
  const reason = kind === "code-generation" ? { ...found, evidence: "the target is not implemented" } : found;
  return { targets: targets.map(({ key }) => key), heldBack: [], baseRuns: runs, reason };
}

/**
 * Returns the likely fault, if the failing tests of the base only share words with the statement. Used for patches
 * without written tests. If the patch makes the tests pass, the match is probably no coincidence, but the evidence
 * stays moderate. Undefined without shared words, with a stronger match, and for kinds other than `repair` and
 * `partial-fix`.
 */
export function likelyFaultOf(
  { targets, runs, reason, isCertain }: Baseline,
  kind: TaskKind,
): ShownFault | undefined {
  if (!reason.holds || isCertain || (kind !== "repair" && kind !== "partial-fix")) return undefined;
  const doubt = "only words shared with the statement show that the tests fail for the stated reason";
  return {
    targets: targets.map(({ key }) => key),
    heldBack: [],
    baseRuns: runs,
    reason: { ...reason, doubt },
  };
}
