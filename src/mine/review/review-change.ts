/** Reviews a validated change: rules over its texts, then its tests by execution. */
import type { Change, Finding, Review, Split } from "../contract.ts";
import { askTests } from "./ask-tests.ts";
import { patchKey } from "./duplicates.ts";
import { judgeFailures } from "./fail-to-pass.ts";
import { judgeLeakage } from "./leakage.ts";
import type { AskedTests } from "./place.ts";
import { primaryType } from "./primary-type.ts";
import { judgeStatement } from "./statement-quality.ts";

/**
 * Reviews a change. Runs no tests if the texts alone already prove the task bad. Throws MillwrightError for an
 * infrastructure error, and AbortError if the signal stops it.
 */
export async function reviewChange(asked: AskedTests): Promise<Review> {
  const { change, split, validation } = asked;
  const read: Finding[] = [...judgeTexts(change, split), judgeFailures(validation)];
  const findings = read.some(({ isBad }) => isBad) ? read : [...read, ...(await askTests(asked))];
  return {
    type: primaryType(change, split),
    score: Math.min(...findings.map(({ score }) => score)),
    findings,
    patchKey: patchKey(split),
  };
}

/** Returns the findings that need no test run. */
export function judgeTexts(change: Change, split: Split): Finding[] {
  return [judgeStatement(change), judgeLeakage(change, split)];
}
