import { composeTree } from "../measure/run-candidate.ts";
import { treeOfWritten } from "../state/tree-of-written.ts";
import type { KindRules } from "./contract.ts";

/**
 * Makes the claim about the tests that show the fault. They fail on the base with the run's tests, and pass with the
 * candidate. Undefined if no test shows the fault, or if the candidate does not apply.
 */
export const claimOfFault: KindRules["claim"] = async (context, state, candidate) => {
  const tests = state.fault?.targets ?? [];
  const composed = await composeTree(context, state, candidate);
  if (tests.length === 0 || !composed.ok) return undefined;
  const without = await treeOfWritten(context.workspace, state);
  return { tests, without, patched: composed.value, failing: "all" };
};
