import { z } from "zod";
import { locationSchema } from "./location.ts";
import { testKeySchema } from "./test-outcome.ts";

/** What a strategy learnt, for the report: data, so that every report says it in the same words. */
export const findingsSchema = z.object({
  /** Where the fault is believed to be, likeliest first, with the reasons. */
  faults: z.array(z.object({ location: locationSchema, score: z.number(), evidence: z.string() })),
  /** The tests that show the fault, as they failed on the base. */
  failingTests: z.array(
    z.object({ key: testKeySchema, type: z.string(), message: z.string(), frame: z.string() }),
  ),
  /** Commands that were run, for a reader who wants to repeat it. */
  testRuns: z.array(
    z.object({
      purpose: z.string(),
      passed: z.int(),
      failed: z.int(),
      skipped: z.int(),
      seconds: z.number(),
    }),
  ),
  /** Why the chosen patch is what it is: `` `<` becomes `<=` ``. */
  change: z.string(),
  /** How many candidates ended how: `not compiled`, `failing tests still fail`, `breaks other tests`, `plausible`. */
  attempts: z.record(z.string(), z.int()),
  /** Other patches that passed everything, as unified diffs, best first. */
  alternatives: z.array(z.object({ change: z.string(), patch: z.string() })),
  /** Of records of version 1; later ones have events of calls, from which the rows of the report are derived. */
  actions: z
    .array(
      z.object({
        action: z.string(),
        intent: z.string(),
        failed: z.boolean(),
        calls: z.int(),
        tokens: z.int(),
        usd: z.number().optional(),
        /** Of one that failed. */
        why: z.string().optional(),
      }),
    )
    .optional(),
  /** What a reviewer should know: flaky tests, a degraded ranking, tests that failed before and still do. */
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
