import { z } from "zod";

/** A patch as a node of a graph: its tree against its parent's tree (or the base's) is the change. */
export const candidateSchema = z.object({
  id: z.string(),
  /** The candidate that this one was made from; absent when made from the base. */
  parent: z.string().optional(),
  /** Git tree object in the run's private object store, made by the host. */
  tree: z.string(),
  kind: z.enum(["code", "test", "reproduction"]),
  /** What made it, for people: `template comparison at src/zone.js:41`. */
  origin: z.string(),
});
export type Candidate = z.infer<typeof candidateSchema>;
