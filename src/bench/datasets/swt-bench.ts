/** SWT-bench: the solver gets an issue of SWE-bench, and writes a test that shows the issue. */
import { z } from "zod";
import swtBench from "../graders/swt-bench.ts";
import { commitSchema, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";
import { imageOfSweBench } from "./swe-bench-rows.ts";

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** SWT-bench's own files wrap the fix in a tag. */
const tagged = /^<patch>\n([\s\S]*?)\n<\/patch>\s*$/;
const patch = z
  .string()
  .min(1)
  .transform((given) => {
    const inner = tagged.exec(given)?.[1];
    return inner === undefined ? given : `${inner}\n`;
  });

export default defineDataset({
  name: "swt-bench",
  description:
    "SWE-bench's issues, each with the task to write tests that show it (SWT-bench, Lite, Verified)",
  card: { home: "https://swtbench.com", paper: "https://arxiv.org/abs/2406.12952" },
  recognises: (row) =>
    "instance_id" in row &&
    ("golden_test_patch" in row || (typeof row["patch"] === "string" && row["patch"].startsWith("<patch>"))),
  row: z
    .object({
      instance_id: taskIdSchema,
      repo: z.string().min(1),
      base_commit: commitSchema,
      problem_statement: text,
      version: text,
      patch: patch.optional(),
      test_patch: text,
      /** The harness's names for the two fields. */
      golden_code_patch: patch.optional(),
      golden_test_patch: text,
      test_cmd: z.string().optional(),
    })
    .refine((row) => (row.patch ?? row.golden_code_patch) !== undefined, {
      message: "has no gold patch",
      path: ["patch"],
    })
    .refine((row) => row.test_patch !== "" || row.golden_test_patch !== "", {
      message: "has no gold tests",
      path: ["test_patch"],
    }),
  task: (row) => ({
    id: row.instance_id,
    kind: "regression-test",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
  }),
  environment: (row) => ({ image: imageOfSweBench(row) }),
  hidden: (row) => ({
    goldPatch: row.patch ?? row.golden_code_patch ?? "",
    testPatch: row.golden_test_patch === "" ? row.test_patch : row.golden_test_patch,
    tests: { command: row.test_cmd, files: [], limitMs: undefined },
    lists: undefined,
  }),
  grader: swtBench,
  formatDocument: (predictions, name) =>
    predictions.map(({ id, patch: model_patch }) => ({
      instance_id: id,
      model_name_or_path: name,
      model_patch,
    })),
});
