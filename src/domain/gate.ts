import { z } from "zod";

export const predicateSchema = z.object({
  /** The predicate's stable name in kebab-case, such as `failing-tests-pass`. */
  predicate: z.string(),
  holds: z.boolean(),
  /** A sentence with the figures that decided the predicate. */
  evidence: z.string(),
  /** True if a time limit ended the measurement before it decided the predicate. Such a predicate never holds. */
  isCut: z.boolean().optional(),
});
export type Predicate = z.infer<typeof predicateSchema>;
