/**
 * Labels what makes a fix hard, by the fix's size and by words of its code and statement. The first match counts.
 * Nothing depends on this label, so it belongs to reports only.
 */
import type { Change, Split } from "../contract.ts";
import { changedLines } from "./patch-lines.ts";

/** Minimum number of code files of a fix at many places: the median of Rust-SWE-bench's 500 tasks. */
const manyFiles = 4;

const signs: readonly (readonly [string, RegExp])[] = [
  [
    "concurrency",
    /\b(?:async|await|threads?|threading|goroutines?|mutex\w*|deadlocks?|data races?|race conditions?|concurren\w*|synchroni[sz]ed|spawn|atomic\w*)\b/i,
  ],
  [
    "types",
    /\b(?:trait|impl\s*<|where\s+\w+:|lifetimes?|generics?|TypeVar|Protocol\[|extends keyof|implements|type parameters?|trait bounds?|dyn)\b/,
  ],
  [
    "input-formats",
    /\b(?:pars(?:e[rsd]?|ing)|lexers?|tokeni[sz]\w*|escap(?:e[sd]?|ing)|unescape\w*|encod(?:e[rsd]?|ing)|decod(?:e[rsd]?|ing)|utf-?\d+|unicode|regex\w*|regexp\w*|grammar)\b/i,
  ],
  [
    "numbers-and-time",
    /\b(?:overflow\w*|underflow\w*|rounding|precision|NaN|infinity|leap (?:year|second)s?|time ?zones?|timestamps?|daylight)\b/i,
  ],
];

/** The labels, in the order in which they count. */
export const challenges: readonly string[] = ["many-places", ...signs.map(([name]) => name), "single-place"];

export function challengeOf(
  { statement, subject }: Pick<Change, "statement" | "subject">,
  { goldPatch, codeFiles }: Pick<Split, "goldPatch" | "codeFiles">,
): string {
  if (codeFiles.length >= manyFiles) return "many-places";
  const { added, removed } = changedLines(goldPatch, codeFiles);
  const text = [subject, statement.split("\n")[0] ?? "", ...added, ...removed].join("\n");
  return signs.find(([, sign]) => sign.test(text))?.[0] ?? "single-place";
}
