/** Near-duplicates: backports and cherry-picks make the same change again, and an issue may be fixed twice. */
import { hashData } from "../../base/hash.ts";
import type { Change, Split } from "../contract.ts";
import { changedLines } from "./patch-lines.ts";

/**
 * Returns a key of a fix. Two fixes have the same key if they add and remove the same lines, even at different places.
 */
export function patchKey({ goldPatch, codeFiles }: Pick<Split, "goldPatch" | "codeFiles">): string {
  const { added, removed } = changedLines(goldPatch, codeFiles);
  const plain = (line: string): string => line.replaceAll(/\s+/g, " ");
  return hashData([added.map(plain).sort(), removed.map(plain).sort()]);
}

const leastLikeness = 0.9;
/** Shorter texts are alike by chance. */
const leastWords = 12;

/**
 * True for texts with nearly the same sequences of three words (Jaccard's index). False for short texts, which may be
 * alike by chance.
 */
export function sameStatement(a: Pick<Change, "statement">, b: Pick<Change, "statement">): boolean {
  const [one, other] = [shingles(a.statement), shingles(b.statement)];
  if (one.size < leastWords || other.size < leastWords) return false;
  const shared = [...one].filter((each) => other.has(each)).length;
  return shared / (one.size + other.size - shared) >= leastLikeness;
}

function shingles(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\d_]+/gu) ?? [];
  return new Set(words.slice(2).map((_, at) => words.slice(at, at + 3).join(" ")));
}
