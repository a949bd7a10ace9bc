/** The measured validity of an attempt's replayed reproduction, as `bench replay-reproductions` stores it. */
import { z } from "zod";

/**
 * `not replayed`: nothing decides, for example because the record lacks a part, the task has no known fix, or the
 * environment failed. `none`: the attempt wrote no reproduction.
 */
export const validities = [
  "valid",
  "irrelevant",
  "does not compile",
  "dependency",
  "not replayed",
  "none",
] as const;

export const replayedSchema = z.object({
  run: z.string(),
  /** The hash of the replayed record; see `hashRecord`. Absent if the run had no record. */
  record: z.string().optional(),
  /** The reproduction: tests of the project's framework, a command of the attempt, or a program beside the project. */
  form: z.enum(["tests", "command", "program"]).optional(),
  validity: z.enum(validities),
  /** One sentence on the deciding fact. */
  reason: z.string(),
  /** The reproduction's whole output, first on the base and then with the known fix. */
  outputs: z.array(z.object({ on: z.enum(["base", "known fix"]), text: z.string() })),
});
export type Replayed = z.infer<typeof replayedSchema>;

export const replayedFileSchema = z.object({
  schema: z.literal("millwright.reproductions/1"),
  rows: z.array(replayedSchema),
});
