import { z } from "zod";

/** A place in the repository. Lines count from 1, both ends inclusive. */
export const locationSchema = z.object({
  /** Path relative to the repository's root, with `/`. */
  file: z.string(),
  startLine: z.int().positive(),
  endLine: z.int().positive(),
  /** The enclosing function or class, if known. */
  symbol: z.string().optional(),
});
