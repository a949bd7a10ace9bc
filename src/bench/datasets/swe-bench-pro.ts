/**
 * SWE-bench Pro's public rows: SWE-bench's fields with different names for the lists, and two more texts for the agent.
 */
import { z } from "zod";
import allPassed from "../graders/all-passed.ts";
import { commitSchema, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";
import { idListSchema } from "./swe-bench-rows.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

export default defineDataset({
  name: "swe-bench-pro",
  description:
    "Issues of larger repositories in Python, Go, JavaScript and TypeScript, with requirements and interfaces",
  card: { home: "https://github.com/scaleapi/SWE-bench_Pro-os", paper: "https://arxiv.org/abs/2509.16941" },
  recognises: (row) => "instance_id" in row && "fail_to_pass" in row,
  row: z.object({
    instance_id: taskIdSchema,
    repo: z.string().min(1),
    base_commit: commitSchema,
    problem_statement: text,
    requirements: text,
    interface: text,
    patch: z.string().min(1),
    test_patch: text,
    /** The tag of the row's image. */
    dockerhub_tag: text,
    /** Such as `core_feat`; absent in some copies. */
    issue_categories: idListSchema.optional().catch(undefined),
    fail_to_pass: idListSchema,
    pass_to_pass: idListSchema,
  }),
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: [
      row.problem_statement,
      ...(row.requirements === "" ? [] : [`Requirements:\n${row.requirements}`]),
      ...(row.interface === "" ? [] : [`New interfaces introduced:\n${row.interface}`]),
    ].join("\n\n"),
    repository: row.repo,
    baseCommit: row.base_commit,
    version: "",
  }),
  hidden: ({ patch, test_patch, fail_to_pass, pass_to_pass, issue_categories }) => ({
    goldPatch: patch,
    testPatch: test_patch,
    tests: { command: undefined, files: [], limitMs: undefined },
    issueTypes: issue_categories,
    lists: { failToPass: fail_to_pass, passToPass: pass_to_pass, flaky: [] },
  }),
  environment: ({ dockerhub_tag: tag }) =>
    tag === "" ? {} : { image: { name: `jefzda/sweap-images:${tag}`, root: "/app" } },
  grader: allPassed,
});
