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
  description: "no listed test fails or is missing; one that is skipped is no failure",
  own: "every listed test passes; a skipped one shows nothing of the body",
  judge: (run, lists) =>
    judgeLists(run, lists, { failToPass: harmless, passToPass: harmless, cutIds: false }),
  judgeOwn: (run, lists) =>
    judgeLists(run, lists, { failToPass: repaired, passToPass: harmless, cutIds: false }),
});
