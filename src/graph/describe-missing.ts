import { countOf, wordFor } from "../base/count.ts";
import type { Completeness } from "./contract.ts";

/**
 * Describes the part of the repository that an answer does not cover yet; undefined if the answer covers everything.
 */
export function describeMissing({
  files,
  indexed,
  resolved,
  byWords,
  complete,
}: Completeness): string | undefined {
  if (complete) return undefined;
  const absent = Math.max(files - indexed, 0);
  if (byWords > 0) {
    const rest = absent > 0 ? `; ${absent} more ${wordFor(absent, "is", "are")} not indexed yet` : "";
    return `${byWords} of ${countOf(files, "file")} ${wordFor(byWords, "is", "are")} not parsed yet: Millwright finds their definitions only by keywords, and the uses of definitions only by names${rest}`;
  }
  if (absent > 0)
    return `only ${indexed} of ${countOf(files, "file")} ${wordFor(indexed, "is", "are")} indexed so far`;
  return `references of ${resolved} of ${countOf(files, "file")} are resolved so far`;
}
