/** SWE-bench Pro's rule: a patch resolves a task if all listed tests pass. */
import { defineGrader } from "./contract.ts";
import { judgeLists } from "./judge-lists.ts";

const passed = new Set(["passed"] as const);

export default defineGrader({
  name: "all-passed",
  description: "every listed test passes; a skipped test or an expected failure does not count as passed",
  judge: (run, lists) => judgeLists(run, lists, { failToPass: passed, passToPass: passed }),
});
