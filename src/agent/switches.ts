/** What of the agent can be turned off: the ablations of the papers are settings. */
import { z } from "zod";

export const switchesSchema = z.object({
  /** Names of actions that are not offered, and not taken in a fixed sequence. */
  without: z.array(z.string()).default([]),
  /** How a given attempt comes in: as a candidate that is measured, or as text in the statement, as the benchmark has it. */
  partialPatch: z.enum(["candidate", "statement"]).default("candidate"),
  /** False: what does not get on is watched, and nothing is refused. */
  backtracking: z.boolean().default(true),
  /** False: the model of `unified` chooses every action by itself, and its openings show no code that rules found. */
  rules: z.boolean().default(true),
  /** False: every test that shows the fault is shown to who writes the patch. */
  heldBack: z.boolean().default(true),
  /** True: `unified` works as USEagent is published, and `react` bare, without anything of ours inside of their loops. */
  asPublished: z.boolean().default(false),
});
export type Switches = z.infer<typeof switchesSchema>;

export const defaultSwitches: Switches = switchesSchema.parse({});

/** For people: what is off; empty where nothing is. */
export function describeSwitches(switches: Switches): string[] {
  const { without, partialPatch, backtracking, rules, heldBack, asPublished } = switches;
  return [
    ...(asPublished ? ["as published"] : []),
    ...(without.length === 0 ? [] : [`without ${without.join(", ")}`]),
    ...(partialPatch === "statement" ? ["the earlier attempt in the statement"] : []),
    ...(backtracking ? [] : ["without backtracking"]),
    ...(rules ? [] : ["no actions by rule"]),
    ...(heldBack ? [] : ["no tests held back"]),
  ];
}
