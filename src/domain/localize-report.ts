import { z } from "zod";
import { testKeySchema } from "./test-outcome.ts";

/** The reason why Millwright suspects a place. Counts include only tests whose executed lines are known. */
const evidenceSchema = z.object({
  failingCovering: z.int(),
  failing: z.int(),
  passingCovering: z.int(),
  passing: z.int(),
  /**
   * The place's weight in the failing tests' stack traces, from 0 to 1. `textScore`: its weight in their texts, from 0
   * to 1.
   */
  stackScore: z.number(),
  textScore: z.number(),
  /** The reasons for people: `run by 1 of 1 failing and 0 of 12 passing tests`. */
  reasons: z.array(z.string()),
});

const placeSchema = z.object({
  /** The rank, from 1. Places with equal scores have different ranks. */
  rank: z.int().positive(),
  file: z.string(),
  startLine: z.int().positive(),
  endLine: z.int().positive(),
  /** The place's score, from 0 to 1. */
  score: z.number(),
});

/** The output of `millwright localize --json`. A new field does not change the schema's number. */
export const localizeReportSchema = z.object({
  schema: z.literal("millwright.localize/1"),
  exitCode: z.int(),
  /** A sentence: the data behind the ranking, or why there is none. */
  reason: z.string(),
  basis: z.enum(["coverage", "stack-traces", "names", "nothing"]),
  /** Sentences about missing data that would improve the ranking. */
  missing: z.array(z.string()),
  formula: z.string(),
  repository: z.string(),
  sandbox: z.string(),
  testCommand: z.object({ command: z.string(), foundBy: z.string() }).nullable(),
  failingTests: z.array(
    z.object({ key: testKeySchema, type: z.string(), message: z.string(), frame: z.string() }),
  ),
  passed: z.int(),
  /** Tests that failed once and passed in a second run. The ranking omits them. */
  flaky: z.array(z.string()),
  /** Failing tests that the ranking omits. */
  others: z.array(z.string()),
  /** The reason why the ranking omits `others`, in words that follow "they". */
  othersBecause: z.string(),
  statements: z.array(
    placeSchema.extend({
      /** The enclosing function, if there is one. */
      function: z.string().optional(),
      /** The statement's first line. */
      text: z.string(),
      evidence: evidenceSchema.extend({
        formulaScore: z.number(),
        /** The score of the code that the statement's condition guards, executed or skipped; 0 if it guards none. */
        branchScore: z.number(),
        functionTextScore: z.number(),
      }),
    }),
  ),
  functions: z.array(
    placeSchema.extend({
      /** The function's name; absent for the top level of a file. */
      function: z.string().optional(),
      evidence: evidenceSchema.extend({ suspects: z.int(), worstLine: z.int() }),
    }),
  ),
  seconds: z.number(),
});
export type LocalizeReport = z.infer<typeof localizeReportSchema>;
