/** Checks whether a statement gives enough information. */
import { countOf } from "../../base/count.ts";
import type { Change, Finding } from "../contract.ts";

const leastWords = 6;
const enoughWords = 40;
/** Words that announce a change without describing it. */
const empty = new Set(
  "a an the and or of in on to for with by fix fixes fixed fixing bug bugs issue issues update updates improve improves change changes add adds test tests some minor small code".split(
    " ",
  ),
);

export function judgeStatement({ statement, statementFrom }: Change): Finding {
  const words = statement.toLowerCase().match(/[\p{L}\d_]+/gu) ?? [];
  const telling = new Set(words.filter((word) => !empty.has(word) && !/^\d+$/.test(word)));
  const isBad = telling.size < leastWords;
  const size = Math.min(1, telling.size / enoughWords);
  // Commit messages address readers who see the change.
  const score = isBad ? 0 : (0.5 + size / 2) * (statementFrom === "issue" ? 1 : 0.8);
  const source = statementFrom === "issue" ? "an issue" : "the change's commit message";
  return {
    check: "statement",
    ...{ score, isBad },
    reason: isBad
      ? `${source} has only ${countOf(telling.size, "informative word")}; the minimum is ${leastWords}`
      : `${source} has ${countOf(telling.size, "informative word")}`,
  };
}
