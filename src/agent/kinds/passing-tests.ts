/** Checks that new tests pass each time, because a test that passes only sometimes proves nothing. */

import { countOf, eachOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { RunContext } from "../action.ts";
import { keysOf, type NewTests, runAgain } from "./new-tests.ts";

/** Required number of consecutive passes. */
const times = 3;

export async function passEachTime(
  context: RunContext,
  { tree }: Candidate,
  { fresh, invalid }: NewTests,
): Promise<Predicate> {
  const runs: (readonly TestOutcome[])[] = [fresh];
  const doPass = (run: readonly TestOutcome[]): boolean => run.every(({ status }) => status === "passed");
  while (fresh.length > 0 && invalid === undefined && runs.length < times && runs.every(doPass))
    runs.push(await runAgain(context, tree, keysOf(fresh), runs.length + 1));
  const failing = runs.flatMap((run) => run.filter(({ status }) => status !== "passed"));
  return {
    predicate: "new-tests-pass",
    holds: invalid === undefined && fresh.length > 0 && failing.length === 0,
    evidence:
      invalid ??
      (fresh.length === 0
        ? "there are no new tests"
        : failing.length === 0
          ? `${countOf(fresh.length, "new test passes", "new tests pass")} in ${eachOf(runs.length, "run")}`
          : `in run ${runs.length}, ${failing.length} of ${countOf(fresh.length, "new test")} ${wordFor(failing.length, "does", "do")} not pass: ${nameFailing(failing)}`),
  };
}

const most = { named: 3, message: 160 };

/** Names the first failing tests with the beginnings of their messages, because the author cannot see this run. */
export function nameFailing(failing: readonly TestOutcome[]): string {
  const named = failing.slice(0, most.named).map(({ key, status, failure }) => {
    const [first = ""] = (failure?.message ?? "").trim().split("\n");
    const why = failure === undefined ? status : `${failure.type}: ${first}`;
    return `${formatTestKey(key)} (${why.slice(0, most.message)})`;
  });
  return named.join(", ");
}
