/** Feature development (USEbench): the solver writes code and its tests, and hidden tests judge the code. */
import { z } from "zod";
import featureDevelopment from "../graders/feature-development.ts";
import { defineDataset } from "./contract.ts";
import { hiddenOfSweBench, sweBenchRow } from "./swe-bench-rows.ts";

export default defineDataset({
  name: "feature-development",
  description: "Features to write with their tests, in SWE-bench's format (USEbench's feature development)",
  card: { home: "https://arxiv.org/abs/2506.14683" },
  recognises: (row) => "instance_id" in row && row["task_type"] === "feature",
  row: sweBenchRow.safeExtend({
    task_type: z.literal("feature"),
    /** The patch that turns the commit into the base: removes code and tests. Absent if the commit is the base. */
    removal_patch: z.string().min(1).nullish(),
  }),
  task: (row) => ({
    id: row.instance_id,
    kind: "feature",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
  }),
  hidden: (row) => hiddenOfSweBench(row),
  environment: ({ removal_patch }) => (removal_patch ? { basePatch: removal_patch } : {}),
  grader: featureDevelopment,
});
