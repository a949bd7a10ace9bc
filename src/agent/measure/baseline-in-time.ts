/** Runs the tests before any change, within a share of the time limit. Leaves the rest of the time to candidates. */
import type { Result } from "../../base/result.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import type { Recorder } from "../record/recorder.ts";
import type { Suite, TestExecutor } from "../suite.ts";
import { shareOf } from "./base-suite.ts";
import { type AskedAgain, type Baseline, baselineOf } from "./baseline.ts";
import { measureSuite } from "./measure-suite.ts";
import type { MeasurementContext } from "./measurement.ts";

/**
 * Shares of the remaining time. `failing` is for the second run of failing tests. All tests get a second share if the
 * first ended during the build, or before any test failed.
 */
const shares = { first: 0.4, afterBuild: 0.4, more: 0.75, failing: 0.4 };

type TimedContext = MeasurementContext & { readonly recorder: Pick<Recorder, "step" | "has"> };

/**
 * Runs all tests within a share of the remaining time, then the failing ones again. If the share ends during the build,
 * or before any test failed, spends a second share. Compilers keep their work, so the build continues.
 */
export async function measureBaselineInTime(
  context: TimedContext,
  executor: TestExecutor,
  asked: AskedAgain = {},
): Promise<Result<Baseline, "no-test-command" | "nothing-fails">> {
  const suite = await measureInShares(context, executor);
  if (!suite.ok) return suite;
  return baselineOf(context, executor, suite.value, {
    ...asked,
    longestMs: shareOf(context.limits, shares.failing),
  });
}

async function measureInShares(
  context: TimedContext,
  executor: TestExecutor,
): Promise<Result<Suite, "no-test-command">> {
  if (!Number.isFinite(context.limits.remainingMs())) return measureSuite(context, executor);
  const started = performance.now();
  const timeMs = shareOf(context.limits, shares.first);
  const first = await measureSuite(context, executor, { timeMs });
  const isShown = first.ok && first.value.outcomes.some(({ status }) => isFailing(status));
  const key = "baseline-again";
  const isCut = first.ok ? first.value.part !== undefined : performance.now() - started >= almost * timeMs;
  if (isShown || !(isCut || context.recorder.has(key))) return first;
  const share = first.ok ? shares.more : shares.afterBuild;
  return measureSuite(context, executor, { timeMs: shareOf(context.limits, share), key });
}

const almost = 0.95;
