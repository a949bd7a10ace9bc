/**
 * Defines the measurement of a patch: all data for a judgement. Millwright can judge a stored measurement again without
 * running anything.
 */
import { z } from "zod";
import { runLogSchema } from "./run-log.ts";

const coverageSchema = z.object({
  /** The reason why nothing could be measured. */
  because: z.string().optional(),
  /** Number of executable lines that the tests should execute. */
  lines: z.int(),
  executed: z.int(),
  /** Number of lines executed by more tests than without the patch, if Millwright measured that. */
  gained: z.int().optional(),
  /** `FILE:LINE` of lines that no test executed. */
  left: z.array(z.string()),
  /** The lines of `left` that the syntax tree proves unreachable; absent without such lines. */
  unreachable: z.array(z.string()).optional(),
});
export type Coverage = z.infer<typeof coverageSchema>;

const mutantsSchema = z.object({
  /** Number of injected small faults that built. */
  tried: z.int(),
  noticed: z.int(),
  /** Number of faults of `tried` that did not run for lack of time; absent if all ran. */
  unknown: z.int().optional(),
  /** The faults that no test detected, one line each. */
  survivors: z.array(z.string()),
});

export const measurementSchema = z.object({
  /** The reason why the patch did not apply, so that nothing ran. */
  rejected: z.string().optional(),
  /** Files of tests and test configuration whose changes by the patch were ignored. */
  restored: z.array(z.string()),
  /** Files that the patch changes: test files and code. */
  changed: z
    .object({ tests: z.array(z.string()), code: z.array(z.string()), inside: z.array(z.string()) })
    .optional(),
  /** The target's text with the patch, if the task asks for a function. */
  target: z.string().optional(),
  /** The runs' logs, by the protocol's names for the runs. */
  runs: z.record(z.string(), runLogSchema),
  coverage: coverageSchema.optional(),
  mutants: mutantsSchema.optional(),
  /**
   * The reason why Millwright does not believe a resolved patch; null if no finding counts against it, absent without a
   * check.
   */
  doubt: z.string().nullable().optional(),
});
export type Measurement = z.infer<typeof measurementSchema>;

export const nothingMeasured: Measurement = { restored: [], runs: {} };
