/** What of the agent can be turned off: the ablations of the papers are settings. */
import { z } from "zod";

export const switchesSchema = z.object({
  /** Names of actions that are not offered, and not taken in a fixed sequence. */
  without: z.array(z.string()).default([]),
  /** How a given attempt comes in: as a candidate that is measured, or as text in the statement, as the benchmark has it. */
  partialPatch: z.enum(["candidate", "statement"]).default("candidate"),
  /** False: what does not get on is watched, and nothing is refused. */
  backtracking: z.boolean().default(true),
  /** False: every test that shows the fault is shown to who writes the patch. */
  heldBack: z.boolean().default(true),
});
export type Switches = z.infer<typeof switchesSchema>;

export const defaultSwitches: Switches = switchesSchema.parse({});
