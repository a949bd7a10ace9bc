/** Checks whether a statement contains lines of the fix. */
import { countOf } from "../../base/count.ts";
import type { Change, Finding, Split } from "../contract.ts";
import { changedLines } from "./patch-lines.ts";

/** Many texts contain shorter lines (`return null;`). */
const leastCharacters = 16;
const mostShare = 0.3;

export function judgeLeakage({ statement }: Change, { goldPatch, codeFiles }: Split): Finding {
  const lines = changedLines(goldPatch, codeFiles).added.filter((line) => line.length >= leastCharacters);
  const told = squeeze(statement);
  const leaked = lines.filter((line) => told.includes(squeeze(line)));
  const share = lines.length === 0 ? 0 : leaked.length / lines.length;
  const [first] = leaked;
  return {
    check: "leakage",
    score: 1 - share,
    isBad: share >= mostShare,
    reason:
      first === undefined
        ? "the statement contains no line of the fix"
        : `${leaked.length} of ${countOf(lines.length, "line")} of the fix are in the statement: ${first.slice(0, 100)}`,
  };
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
