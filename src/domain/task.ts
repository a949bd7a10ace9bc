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

/** The kind that Millwright chose for a task without a given kind, and the reason. */
export const kindChoiceSchema = z.object({
  kind: taskKindSchema,
  /**
   * The source of the choice: the user's other flags, a rule about the statement, the model, or the planner, which
   * corrected the kind.
   */
  by: z.enum(["flags", "rule", "model", "planner"]),
  /** The reason, as a part of a sentence for people. */
  reason: z.string(),
  /** `FILE:SYMBOL`, if the statement names the target and the kind needs one. */
  target: z.string().optional(),
});
export type KindChoice = z.infer<typeof kindChoiceSchema>;

export const kindByRuleSchema = kindChoiceSchema.extend({
  /** False if a configured model should decide instead. */
  isSure: z.boolean(),
  /** The kinds that the run's strategy supports. */
  kinds: z.array(taskKindSchema),
});
export type KindByRule = z.infer<typeof kindByRuleSchema>;

/** The data of a task that the agent may see. It never contains gold patches or hidden tests. */
export const taskSchema = z.object({
  id: z.string(),
  kind: taskKindSchema,
  /** The issue or specification in the user's words; empty if only failing tests are given. */
  statement: z.string(),
  /** Absolute path of the user's repository. */
  repository: z.string(),
  /** The checked-out commit, if the repository is a git repository with a commit. */
  baseCommit: z.string().optional(),
  /** Names, or ends of names, of the failing tests that the user chose as the task. */
  failingTests: z.array(z.string()).optional(),
  /** `FILE:SYMBOL`, for kinds that have a target. */
  target: z.string().optional(),
  partialPatch: z.string().optional(),
});
export type Task = z.infer<typeof taskSchema>;
