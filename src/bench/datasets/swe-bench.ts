/** SWE-bench's fields (full, Lite, Verified and the sets that took them over), and the additions that such files have. */
import { z } from "zod";
import passAndFail from "../graders/pass-and-fail.ts";
import { commitSchema, type TestLists, taskIdSchema } from "../task.ts";
import { defineDataset } from "./contract.ts";

/** SWE-bench has its lists as JSON in a string, or as lists. */
const idListSchema = z.preprocess(readList, z.array(z.string(), "is no list of test ids")).default([]);

function readList(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const rowSchema = z
  .object({
    instance_id: taskIdSchema,
    repo: z.string().min(1),
    base_commit: commitSchema,
    problem_statement: z.string().default(""),
    patch: z.string().min(1).optional(),
    /** The gold patch where the file has the fix as whole files. */
    patch_full_file: z.string().min(1).optional(),
    test_patch: z.string().default(""),
    version: z.string().default(""),
    FAIL_TO_PASS: idListSchema,
    PASS_TO_PASS: idListSchema,
    test_cmd: z.string().min(1).optional(),
  })
  .refine((row) => row.patch !== undefined || row.patch_full_file !== undefined, {
    message: "has no gold patch",
    path: ["patch"],
  });
type Row = z.infer<typeof rowSchema>;

/** A row without fail-to-pass tests says that they were never run, not that there are none. */
function readLists({ FAIL_TO_PASS, PASS_TO_PASS }: Row): TestLists | undefined {
  if (FAIL_TO_PASS.length === 0) return undefined;
  return { failToPass: FAIL_TO_PASS, passToPass: PASS_TO_PASS, flaky: [] };
}

/** `timeout 30 COMMAND`: the sandbox keeps the limit, since it also ends what the command leaves behind. */
function splitTimeLimit(text: string | undefined): {
  command: string | undefined;
  limitMs: number | undefined;
} {
  const match = /^timeout\s+(\d+(?:\.\d+)?)s?\s+(.+)$/s.exec(text ?? "");
  if (match === null) return { command: text, limitMs: undefined };
  return { command: match[2] ?? "", limitMs: Number(match[1]) * 1000 };
}

export default defineDataset({
  name: "swe-bench",
  description: "Issues of GitHub repositories with the patches that resolved them, in SWE-bench's fields",
  card: { home: "https://www.swebench.com", paper: "https://arxiv.org/abs/2310.06770" },
  recognises: (row) => "instance_id" in row && "base_commit" in row,
  row: rowSchema,
  task: (row) => ({
    id: row.instance_id,
    kind: "repair",
    statement: row.problem_statement,
    repository: row.repo,
    baseCommit: row.base_commit,
    version: row.version,
  }),
  hidden: (row) => ({
    goldPatch: row.patch ?? row.patch_full_file ?? "",
    testPatch: row.test_patch,
    tests: { ...splitTimeLimit(row.test_cmd), files: [] },
    lists: readLists(row),
  }),
  grader: passAndFail,
});
