import { z } from "zod";

/**
 * A candidate patch: the change from its parent's tree to its own tree. Without a parent, the change is from the base.
 */
export const candidateSchema = z.object({
  id: z.string(),
  /** The candidate that this one started from; absent if it started from the base. */
  parent: z.string().optional(),
  /** Git tree object in the run's private object store, made by the host. */
  tree: z.string(),
  kind: z.enum(["code", "test", "reproduction"]),
  /** The origin of the patch, for people: `template comparison at src/zone.js:41`. */
  origin: z.string(),
});
export type Candidate = z.infer<typeof candidateSchema>;
