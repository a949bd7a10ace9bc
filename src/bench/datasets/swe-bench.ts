/** SWE-bench's fields (full, Lite, Verified, Multilingual, Multimodal, Live and the sets that took them over), and the additions that such files have. */
import failOnly from "../graders/fail-only.ts";
import passAndFail from "../graders/pass-and-fail.ts";
import { defineDataset } from "./contract.ts";
import { hiddenOfSweBench, sweBenchRow } from "./swe-bench-rows.ts";

export default defineDataset({
  name: "swe-bench",
  description: "Issues of GitHub repositories with the patches that resolved them, in SWE-bench's fields",
  card: { home: "https://www.swebench.com", paper: "https://arxiv.org/abs/2310.06770" },
  recognises: (row) =>
    "instance_id" in row && "base_commit" in row && !("program" in row) && !("fail_to_pass" in row),
  row: sweBenchRow,
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
  }),
  hidden: (row) => hiddenOfSweBench(row),
  grader: passAndFail,
  graderOf: ({ eval_type }) => (eval_type === "fail_only" ? failOnly : passAndFail),
});
