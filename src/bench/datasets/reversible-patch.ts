/** Patches that Millwright can reverse, for datasets whose base has an inserted fault or lacks a fix. */
import { z } from "zod";
import { reversePatch } from "../reverse-patch.ts";

/** Reads a unified diff: the given patch and its reverse. */
export const reversiblePatch = z.string().transform((given, context) => {
  const reversed = reversePatch(given);
  if (reversed !== undefined) return { given, reversed };
  context.addIssue("is not a reversible unified diff of text files");
  return z.NEVER;
});
