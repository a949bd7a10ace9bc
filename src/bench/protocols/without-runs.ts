/** Makes verdicts and judgements without running tests. */
import { type Verdict, verdictWithoutRun } from "../graders/contract.ts";
import { type Measurement, nothingMeasured } from "../measurement.ts";
import type { Judged } from "./contract.ts";

export const withoutLists: Verdict = verdictWithoutRun(
  "infrastructure-error",
  "no list names the deciding tests: make one with `bench check --write-lists`, and give it with --lists",
);

/**
 * Makes the judgement for a patch whose coverage Millwright cannot measure: an infrastructure error. Either the
 * executable lines are unknown, or the framework cannot report the executed lines.
 */
export function judgeUnmeasured(because: string): Judged {
  return judgedAs(verdictWithoutRun("infrastructure-error", `coverage cannot be measured: ${because}`));
}

export function rejection(message: string): Measurement {
  return { ...nothingMeasured, rejected: `the patch does not apply to the base: ${message}` };
}

export function judgeRejected(reason: string): Judged {
  return judgedAs(verdictWithoutRun("agent-error", reason));
}

/** Makes a judgement in which every rule gives the same verdict. */
export function judgedAs(verdict: Verdict): Judged {
  return { official: verdict, verdict, others: [], measures: {} };
}
