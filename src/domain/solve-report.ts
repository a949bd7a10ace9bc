import { z } from "zod";
import { reportedProgramSchema } from "./finding.ts";
import { predicateSchema } from "./gate.ts";
import { kindChoiceSchema, taskKindSchema } from "./task.ts";

export const outcomeSchema = z.enum(["verified", "unverified", "none"]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const strengthSchema = z.enum(["strong", "moderate", "weak"]);
/** The strength of the evidence for a patch, as Millwright computes it. */
export type Strength = z.infer<typeof strengthSchema>;

export const usageSchema = z.object({
  calls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  cachedTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  usd: z.number().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

/**
 * The use of models in reports. `unpriced`: the number of calls with an unknown price; absent if 0. `usd` does not
 * include these calls.
 */
export const statedUsageSchema = usageSchema.extend({ unpriced: z.int().nonnegative().optional() });
export type StatedUsage = z.infer<typeof statedUsageSchema>;

/**
 * The output of `millwright solve --output json` and the content of `report.json`. A new field does not change the
 * schema's number.
 */
export const solveReportSchema = z.object({
  schema: z.literal("millwright.solve/1"),
  outcome: outcomeSchema,
  reason: z.string(),
  exitCode: z.int(),
  run: z.string(),
  runDirectory: z.string(),
  task: z.object({
    id: z.string(),
    kind: taskKindSchema,
    /** The way in which Millwright found the kind; absent if the user gave it. */
    chosen: kindChoiceSchema.pick({ by: true, reason: true }).optional(),
  }),
  strategy: z.string(),
  model: z.string().nullable(),
  /** Disabled features, in words. */
  off: z.array(z.string()).optional(),
  sandbox: z.string(),
  testCommand: z.object({ command: z.string(), foundBy: z.string() }).nullable(),
  /** A unified diff against the user's repository; empty if there is no patch. */
  patch: z.string(),
  files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })),
  /**
   * A unified diff of the tests that the run wrote to show the fault. The patch does not contain them. Absent if there
   * are none.
   */
  testsPatch: z.string().optional(),
  /** Standalone programs that reproduce the fault, with their results; absent if there are none. */
  programs: z.array(reportedProgramSchema).optional(),
  /** The reason why an external agent failed or exceeded its time; otherwise absent. */
  failed: z.string().optional(),
  gate: z.array(predicateSchema),
  /** Null if there is no patch; absent in reports of older versions. */
  strength: strengthSchema.nullable().optional(),
  /** Further notes for people about the tests, the patch and the run; absent if there are none. */
  remarks: z.array(z.string()).optional(),
  /** Number of validated candidates. */
  candidates: z.int(),
  seconds: z.number(),
  usage: statedUsageSchema,
});
export type SolveReport = z.infer<typeof solveReportSchema>;

export const noUsage: Usage = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 };
