/** Defines the features that a user can disable, for example to repeat the papers' ablations. */
import { z } from "zod";

export const switchesSchema = z.object({
  /** Names of actions that are neither offered nor part of a fixed sequence. */
  without: z.array(z.string()).default([]),
  /** The form of a given attempt: a measured candidate, or text in the statement, as in the benchmark. */
  partialPatch: z.enum(["candidate", "statement"]).default("candidate"),
  /** False: stuck work is observed, but nothing is blocked. */
  backtracking: z.boolean().default(true),
  /** False: the model of `unified` chooses every action itself, and its openings show no code found by rule. */
  rules: z.boolean().default(true),
  /** False: authors of patches see every test that shows the fault. */
  heldBack: z.boolean().default(true),
  /** True: `unified` works as USEagent published it, and `react` bare, without our additions inside their loops. */
  asPublished: z.boolean().default(false),
});
export type Switches = z.infer<typeof switchesSchema>;

export const defaultSwitches: Switches = switchesSchema.parse({});

/** Names the disabled features for people; an empty list if all are enabled. */
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
