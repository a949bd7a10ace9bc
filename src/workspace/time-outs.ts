/**
 * Distinguishes Millwright's time limits from failures of tests. A test that exceeds Millwright's limit is `timed-out`.
 * A test that exceeds a limit of the project fails, as it does without Millwright. Such limits are pytest-timeout,
 * ctest's TIMEOUT, or a limit in the test itself.
 */
import {
  formatTestKey,
  isFailing,
  type TestFailure,
  type TestKey,
  type TestOutcome,
} from "../domain/test-outcome.ts";
import { crashType } from "../languages/report-lines.ts";
import type { CommandEnd } from "../sandbox/contract.ts";

/** Matches the text of our own reporters. */
const ours = /^the test took longer than/;
/**
 * Match texts with a number, from our reporters and from frameworks that got our limit: `Timeout of 1000ms exceeded`.
 */
const numbered =
  /^the test did not end within (\d[\d.]*) ?(m?s)\b|(?:timeout of|timed out (?:in|after)|did not complete within|exceeded timeout of) (\d+) ?(ms)\b/i;
/**
 * The smallest share of our limit at which "the test did not end within …" counts as our timeout. The text from ctest
 * gives the test's duration (10.02 s), not the limit (10 s).
 */
const nearly = 0.9;

function isOurs({ type, message }: TestFailure, limitMs: number): boolean {
  if (ours.test(message)) return type === "TimeoutError";
  const match = numbered.exec(message);
  if (match === null) return false;
  const ms = Number(match[1] ?? match[3]) * ((match[2] ?? match[4]) === "s" ? 1000 : 1);
  if (message.startsWith("the test did not end")) return ms >= nearly * limitMs;
  return ms === limitMs;
}

/**
 * Gives the status `timed-out` to tests that exceeded one of Millwright's limits. `end`: the end of the whole run. If
 * the run reached its own time limit, the tests that were running at that time also get the status.
 */
export function markTimeOuts(
  outcomes: readonly TestOutcome[],
  { testTimeoutMs, end }: { readonly testTimeoutMs: number; readonly end: CommandEnd },
): TestOutcome[] {
  return outcomes.map((outcome) => {
    const { failure, status } = outcome;
    if (failure === undefined || !isFailing(status)) return outcome;
    const isCut = end === "timed-out" && failure.type === crashType;
    if (!isCut && !isOurs(failure, testTimeoutMs)) return outcome;
    const flag = isCut ? "the limit of the whole run" : "Millwright's limit for one test, see --test-timeout";
    return {
      ...outcome,
      status: "timed-out",
      failure: { ...failure, message: `${failure.message} (${flag})` },
    };
  });
}

/** The factor by which the time limit grows when a test runs again alone. */
export const moreTime = 4;
/** Maximum number of tests that run again. Each may take its whole time. */
export const mostAsked = 3;

/** A rerun of tests. */
interface Rerun {
  readonly report: { readonly outcomes: readonly TestOutcome[]; readonly invalid: string | undefined };
  readonly end: CommandEnd;
}

/**
 * Returns the results of a rerun that may replace earlier ones. If the run ended by itself and its report is invalid,
 * only failures count, because code under test may have forged the rest.
 */
export function answersOf({ report, end }: Rerun): readonly TestOutcome[] {
  const isTrusted = report.invalid === undefined || end === "timed-out";
  return report.outcomes.filter(({ status }) => status !== "not-run" && (isTrusted || isFailing(status)));
}

/**
 * Reruns up to three tests that exceeded Millwright's limit, each alone and with a longer limit. Returns all outcomes,
 * with the new results in place of the old ones, as `answersOf` allows. `askAlone`: undefined without a rerun.
 * `concerns`: selects the tests that matter for a conclusion. If a test also exceeds the longer limit, does not rerun
 * the other tests of its file.
 */
export async function askAgain(
  outcomes: readonly TestOutcome[],
  concerns: (outcome: TestOutcome) => boolean,
  askAlone: (test: TestKey) => Promise<Rerun | undefined>,
): Promise<TestOutcome[]> {
  const settled = [...outcomes];
  const met = settled.filter((each) => each.status === "timed-out" && each.key.name !== "" && concerns(each));
  const hanging = new Set<string>();
  for (const outcome of met.slice(0, mostAsked)) {
    const file = formatTestKey({ ...outcome.key, name: "" });
    if (hanging.has(file)) continue;
    const id = formatTestKey(outcome.key);
    const rerun = await askAlone(outcome.key);
    const again = rerun && answersOf(rerun).find(({ key }) => formatTestKey(key) === id);
    if (again === undefined) continue;
    settled[settled.indexOf(outcome)] = again;
    if (again.status === "timed-out") hanging.add(file);
  }
  return settled;
}
