/** Says, for gates and reviews, that all tests that passed on the base still pass, or that this is undecided. */
import { countOf, wordFor } from "../../base/count.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { indexStatuses } from "../measure/regressions.ts";

export function tellStillPassing(passed: number): string {
  if (passed === 0) return "no test passed before the change, so none can break";
  return `${passed === 1 ? "the one test" : `all ${passed} tests`} that passed before still ${wordFor(passed, "passes", "pass")}`;
}

/** True if there are broken tests and none has a result. For a run that a time limit ended. */
export function isOnlyUnrun(broken: readonly string[], ...runs: (readonly TestOutcome[])[]): boolean {
  const statuses = indexStatuses(runs.flat());
  return broken.length > 0 && broken.every((id) => (statuses.get(id) ?? "not-run") === "not-run");
}

/** Returns the evidence of `no-test-breaks` after a time limit ended the run. */
export function cutOff(unrun: number): { readonly evidence: string; readonly isCut: true } {
  const evidence = `undecided: the time limit ended the run of all tests. ${countOf(unrun, "test")} that passed before did not run, and none of the others breaks`;
  return { evidence, isCut: true };
}
