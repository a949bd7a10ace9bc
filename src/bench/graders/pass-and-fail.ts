/** SWE-bench's rule `pass_and_fail`. */
import type { TestStatus } from "../../domain/test-outcome.ts";
import { sweBenchLadders } from "../official-ladder.ts";
import { defineGrader } from "./contract.ts";
import { judgeLists } from "./judge-lists.ts";
import { repaired } from "./statuses.ts";

/**
 * Statuses of a test that the patch leaves unharmed. A test that was skipped without the patch may also be skipped with
 * it.
 */
const unharmed: ReadonlySet<TestStatus> = new Set([...repaired, "skipped"]);

export default defineGrader({
  name: "pass-and-fail",
  ladders: sweBenchLadders,
  description: "every fail-to-pass test passes, and no pass-to-pass test fails or is missing",
  judge: (run, lists) => judgeLists(run, lists, { failToPass: repaired, passToPass: unharmed }),
});
