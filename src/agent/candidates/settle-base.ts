/** Starts a judgement: runs all tests on the base, and derives the fault from them if the state has none. */

import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext } from "../action.ts";
import type { Baseline } from "../measure/baseline.ts";
import { matchTextsOf } from "../measure/match-failing.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import type { TaskState } from "../state/task-state.ts";
import { faultOf, faultyBaseline, likelyFaultOf } from "./fault-of-base.ts";

type SettleContext = JudgeContext &
  Pick<ActionContext, "testCommand" | "rememberedCommand" | "testTimeoutMs">;

interface Settling {
  /** True (the default): also accepts a fault that shares only words with the statement. */
  readonly byWords?: boolean;
  /** Measures the base. If several calls share one function, it measures only once. */
  readonly read?: ReadBase;
}

/**
 * Returns the baseline with its failing tests. Undefined if no test fails, or if the task's kind delivers tests.
 * Measures the base at the first call, and returns the same result afterwards.
 */
export type ReadBase = () => Promise<Baseline | undefined>;

export function openBase(context: SettleContext): ReadBase {
  let known: Promise<Baseline | undefined> | undefined;
  return () => {
    known ??= wholeBaseline(context);
    return known;
  };
}

export async function settleBase(
  context: SettleContext,
  given: TaskState,
  { byWords = true, read = openBase(context) }: Settling = {},
): Promise<TaskState> {
  const { baseSuite, suite, task } = context;
  await baseSuite.whole();
  const state = withoutUncollected(given, suite);
  if (state.fault !== undefined) return state;
  const baseline = await read();
  if (baseline === undefined) return state;
  const likely = byWords ? likelyFaultOf(baseline, task.kind) : undefined;
  const fault = faultOf(baseline, task.kind) ?? likely;
  return fault === undefined ? state : { ...state, fault };
}

/** The state without targets that are no tests of the suite. */
function withoutUncollected(
  state: TaskState,
  { uncollected = [] }: Pick<SettleContext["suite"], "uncollected">,
): TaskState {
  const { fault } = state;
  const gone = new Set(uncollected);
  const targets = fault?.targets.filter((key) => !gone.has(formatTestKey(key))) ?? [];
  if (fault === undefined || targets.length === fault.targets.length) return state;
  return { ...state, fault: targets.length === 0 ? undefined : { ...fault, targets } };
}

export interface WithNamed {
  readonly state: TaskState;
  /** Ids of the tests that were added. */
  readonly named: readonly string[];
}

/**
 * If only this run's tests show a repair's fault, adds failing tests of the repository that call code which the
 * statement names. A patch must then pass these tests too.
 */
export async function addNamedTests(
  { suite, task }: Pick<SettleContext, "suite" | "task">,
  state: TaskState,
  read: ReadBase,
): Promise<WithNamed> {
  const { fault } = state;
  const unchanged = { state, named: [] };
  if (fault === undefined || (task.kind !== "repair" && task.kind !== "partial-fix")) return unchanged;
  const known = new Set(fault.targets.map(formatTestKey));
  // If tests of the base show the fault, the choice already considered all of them.
  if (suite.outcomes.some(({ key }) => known.has(formatTestKey(key)))) return unchanged;
  const { named: tests = [], runs = [] } = (await read()) ?? {};
  if (tests.length === 0) return unchanged;
  const named = tests.map(({ key }) => formatTestKey(key));
  const own = runs.map((run) => run.filter(({ key }) => named.includes(formatTestKey(key))));
  const targets = [...fault.targets, ...tests.map(({ key }) => key)];
  const baseRuns = [0, 1].map((run) => [...(fault.baseRuns[run] ?? []), ...(own[run] ?? [])]);
  return { state: { ...state, fault: { ...fault, targets, baseRuns } }, named };
}

async function wholeBaseline(context: SettleContext): Promise<Baseline | undefined> {
  const { suite, baseSuite, executor } = context;
  // At first, only some failures were rerun, under a short time limit.
  const baseline = await faultyBaseline(context, executor, suite, {
    key: baseSuite.isGrown ? ":whole" : ":again",
    matchTexts: (_, failing, signature) =>
      matchTextsOf(testsOf(context, context.workspace.base), failing, signature),
  });
  return baseline?.ok === true ? baseline.value : undefined;
}
