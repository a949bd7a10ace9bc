/**
 * REPOTEST (USEbench): a repository lacks the tests of one function. The solver writes tests that execute the whole
 * function.
 */
import { z } from "zod";
import repotest from "../graders/repotest.ts";
import { reversePatch } from "../reverse-patch.ts";
import { commitSchema, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";

const removal = z.string().transform((patch, context) => {
  const tests = reversePatch(patch);
  if (tests !== undefined) return { patch, tests };
  context.addIssue("is not a reversible unified diff of text files");
  return z.NEVER;
});

const text = z.string().nullish();

export default defineDataset({
  name: "repotest",
  description:
    "Functions to write tests for, with their own tests removed from the repository (USEbench's REPOTEST)",
  card: { home: "https://arxiv.org/abs/2506.14683" },
  recognises: (row) =>
    "instance_id" in row && "removal_patch" in row && "target" in row && row["task_type"] !== "feature",
  row: z.object({
    instance_id: taskIdSchema,
    repo: z.string().min(1),
    base_commit: commitSchema,
    problem_statement: text,
    version: text,
    /** `FILE:SYMBOL`. */
    target: z.string().regex(/^[^:]+:+.+$/, "does not have the form FILE:SYMBOL"),
    /**
     * The patch that removes the function's tests. The base is the commit with this patch; the gold tests are the
     * reverse patch.
     */
    removal_patch: removal,
    test_cmd: z.string().nullish(),
  }),
  task: (row) => ({
    id: row.instance_id,
    kind: "test-generation",
    statement: row.problem_statement ?? "",
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version ?? "",
    target: row.target,
  }),
  hidden: (row) => ({
    goldPatch: "",
    testPatch: row.removal_patch.tests,
    tests: { command: row.test_cmd ?? undefined, files: [], limitMs: undefined },
    lists: undefined,
  }),
  environment: (row) => ({ basePatch: row.removal_patch.patch }),
  grader: repotest,
});
