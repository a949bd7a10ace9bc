import { z } from "zod";

export const predicateSchema = z.object({
  /** kebab-case, stable: `failing-tests-pass`. */
  predicate: z.string(),
  holds: z.boolean(),
  /** A sentence with the figures from which it was computed. */
  evidence: z.string(),
});
export type Predicate = z.infer<typeof predicateSchema>;
