import { z } from "zod";
import { locationSchema } from "./location.ts";
import { testKeySchema } from "./test-outcome.ts";

/** A strategy's findings for the report. Findings are data, not text: all reports describe them in the same words. */
export const findingsSchema = z.object({
  /** The suspected places of the fault, likeliest first, with the reasons. */
  faults: z.array(z.object({ location: locationSchema, score: z.number(), evidence: z.string() })),
  /** The tests that show the fault, with their failures on the base. */
  failingTests: z.array(
    z.object({ key: testKeySchema, type: z.string(), message: z.string(), frame: z.string() }),
  ),
  /** The commands that ran, for readers who want to repeat them. */
  testRuns: z.array(
    z.object({
      purpose: z.string(),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      seconds: z.number(),
    }),
  ),
  /** The change of the chosen patch: `` `<` becomes `<=` ``. */
  change: z.string(),
  /** Number of candidates by result: `not compiled`, `failing tests still fail`, `breaks other tests`, `plausible`. */
  attempts: z.record(z.string(), z.int()),
  /** Other patches that made all tests pass, as unified diffs, best first. */
  alternatives: z.array(z.object({ change: z.string(), patch: z.string() })),
  /**
   * The actions of the run; only in records of version 1. Later records have events of calls, from which Millwright
   * derives the report's rows.
   */
  actions: z
    .array(
      z.object({
        action: z.string(),
        intent: z.string(),
        failed: z.boolean(),
        calls: z.int(),
        tokens: z.int(),
        usd: z.number().optional(),
        /** The reason why the action failed, if it did. */
        why: z.string().optional(),
      }),
    )
    .optional(),
  /** Notes for a reviewer: flaky tests, a degraded ranking, tests that failed before and still fail. */
  remarks: z.array(z.string()),
});
export type Findings = z.infer<typeof findingsSchema>;

export const noFindings: Findings = {
  faults: [],
  failingTests: [],
  testRuns: [],
  change: "",
  attempts: {},
  alternatives: [],
  remarks: [],
};
