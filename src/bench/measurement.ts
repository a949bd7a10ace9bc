/** What was measured of a patch: all that judging it needs, so that it can be judged again without running anything. */
import { z } from "zod";
import { runLogSchema } from "./run-log.ts";

const coverageSchema = z.object({
  /** Why nothing could be measured. */
  because: z.string().optional(),
  /** Lines that the tests are to execute, as far as they can be executed. */
  lines: z.int(),
  executed: z.int(),
  /** Executed by more tests than without the patch, where that was asked. */
  gained: z.int().optional(),
  /** `FILE:LINE`, those that are left. */
  left: z.array(z.string()),
});
export type Coverage = z.infer<typeof coverageSchema>;

const mutantsSchema = z.object({
  /** Small faults that were made, and could be built. */
  tried: z.int(),
  noticed: z.int(),
  /** What no test noticed, a line each. */
  survivors: z.array(z.string()),
});

export const measurementSchema = z.object({
  /** Why the patch could not be laid; nothing was run then. */
  rejected: z.string().optional(),
  /** Files of tests, and of how they are run, whose change by the patch was not taken. */
  restored: z.array(z.string()),
  /** What the patch changes. */
  changed: z
    .object({ tests: z.array(z.string()), code: z.array(z.string()), inside: z.array(z.string()) })
    .optional(),
  /** The target's text with the patch, where the task asks for a function. */
  target: z.string().optional(),
  /** By the names that the protocol gives them. */
  runs: z.record(z.string(), runLogSchema),
  coverage: coverageSchema.optional(),
  mutants: mutantsSchema.optional(),
  /** Why a patch that the rule resolves is not believed; null where nothing speaks against it, absent where it was not asked. */
  doubt: z.string().nullable().optional(),
});
export type Measurement = z.infer<typeof measurementSchema>;

export const nothingMeasured: Measurement = { restored: [], runs: {} };
