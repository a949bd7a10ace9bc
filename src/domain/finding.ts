import { z } from "zod";
import { locationSchema } from "./location.ts";
import { testKeySchema } from "./test-outcome.ts";

const programEndSchema = z.object({
  /** The end in a clause: `ends with exit code 1 (ValueError: no)`. */
  told: z.string(),
  exitCode: z.int().nullable(),
  /** The last exception in the output; "" without one. */
  exception: z.string(),
  /** The last characters of the output. */
  output: z.string(),
});

/** A standalone program of the run that reproduces the fault, with its results. It verifies no patch. */
export const reportedProgramSchema = z.object({
  file: z.string(),
  command: z.string(),
  text: z.string(),
  before: programEndSchema,
  /** Absent without a patch, and if the program was put aside. */
  after: programEndSchema.optional(),
  /** The reason why the program does not count. */
  aside: z.string().optional(),
});
export type ReportedProgram = z.infer<typeof reportedProgramSchema>;

/** A strategy's findings for the report. Findings are data, not text: all reports describe them in the same words. */
export const findingsSchema = z.object({
  /** The suspected places of the fault, likeliest first, with the reasons. */
  faults: z.array(z.object({ location: locationSchema, score: z.number(), evidence: z.string() })),
  /** The tests that show the fault, with their failures on the base. */
  failingTests: z.array(
    z.object({ key: testKeySchema, type: z.string(), message: z.string(), frame: z.string() }),
  ),
  /** Standalone programs that reproduce the fault; absent if there are none. */
  programs: z.array(reportedProgramSchema).optional(),
  /** The test runs: purpose, command, results and duration. */
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
  /** Number of candidates by result: `does not load`, `failing tests still fail`, `breaks other tests`, `plausible`. */
  attempts: z.record(z.string(), z.int()),
  /** Other plausible patches, as unified diffs, best first. */
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
