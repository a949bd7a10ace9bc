/** Checks whether a statement contains lines of the fix. */
import { countOf } from "../../base/count.ts";
import type { Change, Finding, Split } from "../contract.ts";
import { changedLines } from "./patch-lines.ts";

/** Many texts contain shorter lines (`return null;`). */
const leastCharacters = 16;
/** If all lines of a fix are shorter, one that is a whole line of the statement counts. */
const leastOfWhole = 8;
const mostShare = 0.3;

export function judgeLeakage({ statement }: Change, { goldPatch, codeFiles }: Split): Finding {
  const { added } = changedLines(goldPatch, codeFiles);
  const long = added.filter((line) => line.length >= leastCharacters);
  const lines = long.length > 0 ? long : added.filter((line) => line.length >= leastOfWhole);
  const told = squeeze(statement);
  const whole = new Set(statement.split("\n").map(squeeze));
  const leaked = lines
    .map(squeeze)
    .filter((line) => (long.length > 0 ? told.includes(line) : whole.has(line)));
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
