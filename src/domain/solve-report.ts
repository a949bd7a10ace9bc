import { z } from "zod";
import { predicateSchema } from "./gate.ts";
import { kindChoiceSchema, taskKindSchema } from "./task.ts";

export const outcomeSchema = z.enum(["verified", "unverified", "none"]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const strengthSchema = z.enum(["strong", "moderate", "weak"]);
/** How much the evidence for a patch says, computed. */
export type Strength = z.infer<typeof strengthSchema>;

export const usageSchema = z.object({
  calls: z.int().nonnegative(),
  inputTokens: z.int().nonnegative(),
  cachedTokens: z.int().nonnegative(),
  outputTokens: z.int().nonnegative(),
  usd: z.number().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

/** `unpriced` counts the calls whose price is not known: `usd` is without them. Absent where there are none. */
export const statedUsageSchema = usageSchema.extend({ unpriced: z.int().nonnegative().optional() });
export type StatedUsage = z.infer<typeof statedUsageSchema>;

/** What `millwright solve --output json` prints and `report.json` holds. Additive changes keep the number. */
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
    /** How the kind was found; absent where the user gave it. */
    chosen: kindChoiceSchema.pick({ by: true, reason: true }).optional(),
  }),
  strategy: z.string(),
  model: z.string().nullable(),
  /** What of the agent was turned off, in words. */
  off: z.array(z.string()).optional(),
  sandbox: z.string(),
  testCommand: z.object({ command: z.string(), foundBy: z.string() }).nullable(),
  /** Unified diff against the repository as the user had it; empty when there is none. */
  patch: z.string(),
  files: z.array(z.object({ path: z.string(), added: z.int(), removed: z.int() })),
  /** Unified diff of the tests that the run wrote to show the fault: beside the patch and no part of it; absent where there are none. */
  testsPatch: z.string().optional(),
  /** Of an external agent that broke, or did not end in time: why. Absent for others. */
  failed: z.string().optional(),
  gate: z.array(predicateSchema),
  /** Null where there is no patch; absent in reports of older versions. */
  strength: strengthSchema.nullable().optional(),
  /** For people: what else is to be known of the tests, the patch and the run; absent where there is nothing. */
  remarks: z.array(z.string()).optional(),
  /** How many candidates were validated. */
  candidates: z.int(),
  seconds: z.number(),
  usage: statedUsageSchema,
});
export type SolveReport = z.infer<typeof solveReportSchema>;

export const noUsage: Usage = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, usd: 0 };
