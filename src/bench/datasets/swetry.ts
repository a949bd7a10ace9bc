/** SWETRY (USEbench): an issue with the patch of a failed attempt, which the solver may use, change or ignore. */
import { z } from "zod";
import passAndFail from "../graders/pass-and-fail.ts";
import { defineDataset } from "./contract.ts";
import { hiddenOfSweBench, imageOfSweBench, sweBenchRow } from "./swe-bench-rows.ts";

export default defineDataset({
  name: "swetry",
  description:
    "Issues in SWE-bench's format with a failed attempt each (USEbench's SWETRY); a solution is a patch of the base, without the attempt",
  card: { home: "https://arxiv.org/abs/2506.14683" },
  recognises: (row) => "instance_id" in row && "failed_patch" in row,
  row: sweBenchRow.safeExtend({ failed_patch: z.string().min(1) }),
  task: (row) => ({
    id: row.instance_id,
    kind: "partial-fix",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
    partialPatch: row.failed_patch,
  }),
  hidden: (row) => hiddenOfSweBench(row),
  environment: (row) => ({ image: imageOfSweBench(row) }),
  grader: passAndFail,
});
