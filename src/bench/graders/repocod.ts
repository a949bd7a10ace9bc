/**
 * REPOCOD's rule: pytest exits with 0 when run on the listed tests. Skipped tests and expected failures do not prevent
 * that.
 */
import type { TestStatus } from "../../domain/test-outcome.ts";
import { defineGrader } from "./contract.ts";
import { judgeLists } from "./judge-lists.ts";
import { repaired } from "./statuses.ts";

const harmless: ReadonlySet<TestStatus> = new Set([...repaired, "skipped"]);

export default defineGrader({
  name: "repocod",
  description: "no listed test fails or is missing; a skipped test does not count as failed",
  own: "in addition, no fail-to-pass test is skipped: a skipped test proves nothing about the function's body",
  judge: (run, lists) =>
    judgeLists(run, lists, { failToPass: harmless, passToPass: harmless, cutIds: false }),
  judgeOwn: (run, lists) =>
    judgeLists(run, lists, { failToPass: repaired, passToPass: harmless, cutIds: false }),
});
