/**
 * Continues a run after a hanging test that only the end of its process could end. The tests after the hanging test run
 * again without it.
 */
import { formatTestKey, type TestKey } from "../domain/test-outcome.ts";
import type { TestRun } from "./test-runner.ts";
import { mostAsked } from "./time-outs.ts";

/**
 * Runs the tests without a result (`ask`), for up to three hanging tests. The result's `stuck` names the hanging
 * tests. If there are more, the run stays unreliable, and its message names the last one.
 */
export async function runRest(
  first: TestRun,
  ask: (rest: readonly TestKey[]) => Promise<TestRun>,
): Promise<TestRun> {
  const runs = [first];
  const stuck: string[] = [];
  const outcomes = [...first.report.outcomes];
  for (let last = first; ; ) {
    const { report, end } = last;
    const hanging = report.outcomes.find(
      ({ status, failure }) => status === "timed-out" && failure?.endedProcess === true,
    );
    if (hanging === undefined || end !== "exited" || report.isCutOff !== true)
      return stuck.length === 0 ? first : joinRest(first, runs, { outcomes, stuck, invalid: report.invalid });
    const id = formatTestKey(hanging.key);
    stuck.push(id);
    const rest = outcomes.flatMap(({ key, status }) =>
      status === "not-run" && key.name !== "" ? [key] : [],
    );
    // Each test has a result if none is left.
    if (rest.length === 0) return joinRest(first, runs, { outcomes, stuck, invalid: undefined });
    if (stuck.length > mostAsked) {
      const invalid = `${id} hangs and ended the run: ${report.invalid}`;
      return joinRest(first, runs, { outcomes, stuck, invalid });
    }
    last = await ask(rest);
    runs.push(last);
    const said = new Map(last.report.outcomes.map((outcome) => [formatTestKey(outcome.key), outcome]));
    for (const [at, { key, status }] of outcomes.entries()) {
      const again = said.get(formatTestKey(key));
      if (status === "not-run" && again !== undefined) outcomes[at] = again;
    }
  }
}

function joinRest(
  first: TestRun,
  runs: readonly TestRun[],
  {
    outcomes,
    invalid,
    stuck,
  }: Pick<TestRun["report"], "outcomes" | "invalid"> & Required<Pick<TestRun, "stuck">>,
): TestRun {
  const { isCutOff: _, ...report } = first.report;
  const changes = new Set(runs.flatMap((run) => run.report.frameworkChanges ?? []));
  return {
    ...first,
    report: {
      ...report,
      ...{ outcomes, invalid },
      ...(changes.size > 0 && { frameworkChanges: [...changes].sort() }),
    },
    end: runs.at(-1)?.end ?? first.end,
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    stuck,
  };
}
