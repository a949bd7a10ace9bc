/**
 * Compares the behaviour of code versions on inputs beyond the tests:
 * - calls of functions with recorded and derived arguments, if the framework supports it
 * - tests near the change with varied literals, in every language
 */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { Comparison } from "../../languages/contract.ts";
import { notCompared } from "../../repair/agreement.ts";
import { compareOnVariedTests, type VariedRequest } from "./varied-tests.ts";

export interface ComparedVersions extends Omit<VariedRequest, "failing"> {
  readonly failing: readonly TestKey[];
  /** The tests to vary; default: all. Only tests that execute the changed code give further inputs. */
  readonly reaching?: readonly TestKey[];
}

/** If a run used this share of its time, it counts as ended by its limit. */
const almost = 0.95;

/** The share of time for function calls. */
const shareOfCalls = 0.6;

export async function compareVersions(request: ComparedVersions): Promise<Comparison> {
  const started = performance.now();
  const calls = await compareCalls(request);
  const usedMs = performance.now() - started;
  if (usedMs >= almost * shareOfCalls * request.timeMs) request.onCut?.();
  const left = request.timeMs - usedMs;
  const failing = new Set(request.failing.map(formatTestKey));
  const tests = request.reaching ?? request.tests;
  const varied =
    left <= 0 ? undefined : await compareOnVariedTests({ ...request, tests, failing, timeMs: left });
  return joinComparisons([calls, varied].filter((each) => each !== undefined));
}

async function compareCalls({
  executor,
  command,
  framework,
  versions,
  ...request
}: ComparedVersions): Promise<Comparison | undefined> {
  const batch = framework.comparison ?? framework.behaviour;
  if (batch === undefined) return undefined;
  return executor.runBatch(command, batch, {
    tree: request.tree,
    tests: request.tests,
    failing: request.failing,
    candidates: versions.map(({ id, files }) => ({ id, files })),
    testTimeoutMs: request.testTimeoutMs,
    timeoutMs: shareOfCalls * request.timeMs,
    stopAtFirstFailure: false,
  });
}

/**
 * Joins comparisons into one over all their inputs. Omits failed comparisons. If all failed, the result contains their
 * reasons.
 */
export function joinComparisons(comparisons: readonly Comparison[]): Comparison {
  const good = comparisons.filter(({ origins, behaviours }) => origins.length > 0 && behaviours.has(0));
  const ids = new Set(good.flatMap(({ behaviours }) => [...behaviours.keys()]));
  const invalid = comparisons.flatMap((each) => each.invalid ?? []).join("; ");
  return {
    origins: good.flatMap(({ origins }) => origins),
    isRepeat: good.flatMap(({ origins, isRepeat }) => isRepeat ?? origins.map(() => false)),
    behaviours: new Map(
      [...ids].map((id) => [
        id,
        good.flatMap(({ origins, behaviours }) => behaviours.get(id) ?? origins.map(() => notCompared)),
      ]),
    ),
    invalid: good.length > 0 || invalid === "" ? undefined : invalid,
  };
}
