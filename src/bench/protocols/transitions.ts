/** Compares test results without and with a fix, in SWT-bench's terms: passed, failed, or missing. */
import { formatTestKey, type TestKey, type TestStatus } from "../../domain/test-outcome.ts";
import type { GradedRun } from "../graders/contract.ts";

/** Test ids, grouped by the results without and with a fix. Ids are our own keys by default. */
export interface Transitions {
  /** Includes tests that were missing before. */
  readonly failToPass: ReadonlySet<string>;
  readonly passToPass: ReadonlySet<string>;
  /** Includes tests that were missing before. */
  readonly failToFail: ReadonlySet<string>;
  /** Includes tests that are missing afterwards. */
  readonly passToFail: ReadonlySet<string>;
}

/**
 * Errors, skipped tests and expected failures count as missing, because the official report only knows PASSED and
 * FAILED.
 */
const sides: Partial<Record<TestStatus, "pass" | "fail">> = {
  passed: "pass",
  failed: "fail",
  "timed-out": "fail",
};

export function compareSides(
  before: GradedRun | undefined,
  after: GradedRun | undefined,
  idOf: (key: TestKey) => string = formatTestKey,
): Transitions {
  const [then, now] = [readSide(before, idOf), readSide(after, idOf)];
  const found: Record<keyof Transitions, string[]> = {
    failToPass: [],
    passToPass: [],
    failToFail: [],
    passToFail: [],
  };
  for (const id of new Set([...then.keys(), ...now.keys()])) {
    const [was, is] = [then.get(id), now.get(id)];
    if (is === "pass") found[was === "pass" ? "passToPass" : "failToPass"].push(id);
    else if (was === "pass") found.passToFail.push(id);
    else if (is === "fail") found.failToFail.push(id);
  }
  return {
    failToPass: new Set(found.failToPass),
    passToPass: new Set(found.passToPass),
    failToFail: new Set(found.failToFail),
    passToFail: new Set(found.passToFail),
  };
}

function readSide(
  run: GradedRun | undefined,
  idOf: (key: TestKey) => string,
): ReadonlyMap<string, "pass" | "fail"> {
  const pairs = (run?.outcomes ?? []).flatMap(({ key, status }) => {
    const side = sides[status];
    return side === undefined || key.name === "" ? [] : [[idOf(key), side] as const];
  });
  return new Map(pairs);
}
