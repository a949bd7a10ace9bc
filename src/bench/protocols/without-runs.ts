/** Makes verdicts and judgements without test results: nothing ran, or nothing that says anything about the patch. */
import { findAbsentRunner } from "../../languages/discovery/missing-parts.ts";
import { type Verdict, verdictWithoutRun } from "../graders/contract.ts";
import { type Measurement, nothingMeasured } from "../measurement.ts";
import { limitOf, type RunLog, readRunLog } from "../run-log.ts";
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

/**
 * Replaces the judgement with an infrastructure error if a run failed through no fault of the patch: the test command is
 * missing, or a run without the patch (`controls`) reached a limit.
 */
export async function judgeFaults(
  judged: Judged,
  { rejected, runs }: Measurement,
  controls: readonly string[],
  frameworks: Parameters<typeof readRunLog>[1],
): Promise<Judged> {
  if (rejected !== undefined) return judged;
  for (const [name, log] of Object.entries(runs)) {
    const limit = controls.includes(name) ? limitOf(log.executions[0]) : undefined;
    if (limit !== undefined)
      return judgedAs(
        verdictWithoutRun("infrastructure-error", `the tests reached the ${limit} limit without the patch`),
      );
    const absent = await absentRunner(log, frameworks);
    if (absent === undefined) continue;
    const verdict = verdictWithoutRun("infrastructure-error", `the tests cannot start: ${absent}`);
    return { official: judged.official, verdict, others: [], measures: {} };
  }
  return judged;
}

/** Returns the part of the test command that the first execution's output reports as missing, if no test ran. */
async function absentRunner(
  log: RunLog,
  frameworks: Parameters<typeof readRunLog>[1],
): Promise<string | undefined> {
  const [first] = log.executions;
  if (first === undefined) return undefined;
  const absent = findAbsentRunner(log.command, first.exitCode, `${first.stderr}\n${first.stdout}`);
  if (absent === undefined) return undefined;
  return (await readRunLog(log, frameworks)).outcomes.length === 0 ? absent : undefined;
}
