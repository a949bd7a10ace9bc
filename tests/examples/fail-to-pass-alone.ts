import { defineGrader } from "../../src/bench/graders/contract.ts";
import { judgeLists } from "../../src/bench/graders/judge-lists.ts";

const passed = new Set(["passed"] as const);

export default defineGrader({
  name: "fail-to-pass-alone",
  description: "every fail-to-pass test passes; pass-to-pass tests do not count",
  judge: (run, lists) =>
    judgeLists(run, { ...lists, passToPass: [] }, { failToPass: passed, passToPass: passed }),
});
