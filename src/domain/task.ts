import { z } from "zod";

export const taskKindSchema = z.enum([
  "repair",
  "regression-test",
  "code-generation",
  "test-generation",
  "partial-fix",
  "feature",
]);
export type TaskKind = z.infer<typeof taskKindSchema>;

/** How the kind was found, where the user gave none. */
export const kindChoiceSchema = z.object({
  kind: taskKindSchema,
  /** What the user gave beside the statement, the statement by rule, the model that was asked, the planner that corrected it. */
  by: z.enum(["flags", "rule", "model", "planner"]),
  /** A sentence's part for people. */
  reason: z.string(),
  /** `FILE:SYMBOL`, where the statement names it and the kind needs one. */
  target: z.string().optional(),
});
export type KindChoice = z.infer<typeof kindChoiceSchema>;

export const kindByRuleSchema = kindChoiceSchema.extend({
  /** False: a model knows better, where there is one. */
  isSure: z.boolean(),
  /** Those that the run's strategy can do. */
  kinds: z.array(taskKindSchema),
});
export type KindByRule = z.infer<typeof kindByRuleSchema>;

/** What the agent may see of a task, and nothing else: gold patches and hidden tests have no place here. */
export const taskSchema = z.object({
  id: z.string(),
  kind: taskKindSchema,
  /** The issue or specification in the user's words; empty when only failing tests are given. */
  statement: z.string(),
  /** Absolute path of the user's repository. */
  repository: z.string(),
  /** The commit that the repository stands on, where it is a git repository with one. */
  baseCommit: z.string().optional(),
  /** Names, or ends of names, of the failing tests that the task is about, where the user chose among them. */
  failingTests: z.array(z.string()).optional(),
  /** `FILE:SYMBOL`, for kinds that have a target. */
  target: z.string().optional(),
  partialPatch: z.string().optional(),
});
export type Task = z.infer<typeof taskSchema>;
