import { z } from "zod";

/** A place in the repository. Lines count from 1, both ends included. */
export const locationSchema = z.object({
  /** Relative to the repository's root, with `/`. */
  file: z.string(),
  startLine: z.int().positive(),
  endLine: z.int().positive(),
  /** The function or class around it, where known. */
  symbol: z.string().optional(),
});
