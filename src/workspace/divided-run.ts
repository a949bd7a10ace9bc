/**
 * Runs the selected tests in several processes at once, each with a share of the files in a checkout of its own. A test that
 * fails or times out beside other processes runs again alone, in one process, before its failure counts.
 */
import { formatTestKey, isFailing, type TestKey, type TestOutcome } from "../domain/test-outcome.ts";
import type { Share } from "../languages/contract.ts";
import type { TestRun } from "./test-runner.ts";
import { answersOf } from "./time-outs.ts";

export interface Divided {
  readonly of: number;
  readonly times?: Readonly<Record<string, number>> | undefined;
  /** The milliseconds that are left; at most 0 once a limit has ended the run. */
  readonly leftMs: () => number;
  /** Runs a share within the time limit. Each share has its own checkout. */
  readonly runShare: (share: Share) => Promise<TestRun>;
  /** Runs these tests in one process. */
  readonly runAlone: (tests: readonly TestKey[]) => Promise<TestRun>;
}

/**
 * Returns the joined run. Undefined if the shares do not form a reliable run, or if one hangs; one process must then
 * run the tests. `durationMs` is the sum of all processes' times, because limits assume one process.
 */
export async function runDivided(divided: Divided): Promise<TestRun | undefined> {
  const { of, times, leftMs, runShare, runAlone } = divided;
  const shares = Array.from({ length: of }, (_, index): Share => ({ index, of, ...(times && { times }) }));
  const joined = joinShares(await Promise.all(shares.map(runShare)));
  // A share that hangs may hang only beside the others.
  if (joined === undefined || (joined.end === "timed-out" && leftMs() > 0)) return undefined;
  const failing = joined.report.outcomes.filter(isAsked);
  if (failing.length === 0) return joined;
  if (leftMs() <= 0) return withAnswers({ ...joined, end: "timed-out" }, undefined);
  return withAnswers(joined, await runAlone(failing.map(({ key }) => key)));
}

function isAsked({ key, status }: TestOutcome): boolean {
  return isFailing(status) && key.name !== "";
}

/**
 * Joins the shares' runs. Undefined if a share is unreliable, or if the shares together do not run each collected test
 * once. A share that its time limit ended makes the joined run `timed-out`. Pure.
 */
export function joinShares(runs: readonly TestRun[]): TestRun | undefined {
  const isCut = runs.some(({ end }) => end === "timed-out");
  // A share may have no tests, if one file takes nearly all of the time.
  const isIdle = ({ report }: TestRun): boolean => report.share?.found === 0 && report.outcomes.length === 0;
  const busy = runs.filter((run) => !isIdle(run));
  const [first] = busy;
  if (first === undefined) return undefined;
  const isReliable = ({ end, report }: TestRun): boolean =>
    end === "timed-out" || (end === "exited" && report.invalid === undefined);
  if (!busy.every(isReliable)) return undefined;
  const found = busy.reduce((sum, { report }) => sum + (report.share?.found ?? 0), 0);
  if (!isCut && !runs.every(({ report }) => report.share?.of === found)) return undefined;
  const outcomes = new Map<string, TestOutcome>();
  for (const outcome of busy.flatMap(({ report }) => report.outcomes)) {
    const id = formatTestKey(outcome.key);
    // Each process reports a file that it cannot load; no test may run twice.
    if (outcomes.has(id) && outcome.key.name !== "") return undefined;
    outcomes.set(id, outcome);
  }
  const changes = new Set(busy.flatMap(({ report }) => report.frameworkChanges ?? []));
  const cut = busy.find(({ end }) => end === "timed-out");
  return {
    report: {
      outcomes: [...outcomes.values()],
      coverage: new Map(),
      invalid: busy.find(({ report }) => report.invalid !== undefined)?.report.invalid,
      ...(changes.size > 0 && { frameworkChanges: [...changes].sort() }),
    },
    end: cut?.end ?? "exited",
    exitCode: (busy.find(({ exitCode }) => exitCode !== 0) ?? first).exitCode,
    durationMs: runs.reduce((sum, { durationMs }) => sum + durationMs, 0),
    output: busy.map(({ output }) => output).join("\n"),
    isDivided: true,
  };
}

/**
 * Replaces failures by the tests' results in one process, as `answersOf` allows. If a limit ended that process, the
 * results of the other tests are unknown. `alone`: undefined if no time was left for it. Pure.
 */
export function withAnswers(joined: TestRun, alone: TestRun | undefined): TestRun {
  const answered = alone === undefined ? [] : answersOf(alone);
  const answers = new Map(answered.map((outcome) => [formatTestKey(outcome.key), outcome]));
  const isCut = alone === undefined || alone.end === "timed-out";
  const before = joined.report.outcomes;
  const outcomes = before.map((outcome): TestOutcome => {
    const unknown = isCut && isAsked(outcome);
    const { key } = outcome;
    return answers.get(formatTestKey(key)) ?? (unknown ? { key, status: "not-run", durationMs: 0 } : outcome);
  });
  const onlyTogether = before.flatMap(({ key }, at) =>
    outcomes[at] !== before[at] && outcomes[at]?.status === "passed" ? [formatTestKey(key)] : [],
  );
  const changes = new Set([joined, alone].flatMap((run) => run?.report.frameworkChanges ?? []));
  return {
    ...joined,
    report: {
      ...joined.report,
      outcomes,
      ...(changes.size > 0 && { frameworkChanges: [...changes].sort() }),
    },
    durationMs: joined.durationMs + (alone?.durationMs ?? 0),
    end: isCut ? "timed-out" : joined.end,
    ...(onlyTogether.length > 0 && { onlyTogether }),
  };
}
