/** Reads a line of a file with SWE-bench's fields, and the additions that such files have. */
import { z } from "zod";
import { commitSchema, type GradedTask, type TestLists, taskIdSchema } from "./task.ts";

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

export const sweBenchLineSchema = z
  .object({
    instance_id: taskIdSchema,
    repo: z.string().min(1),
    base_commit: commitSchema,
    patch: z.string().min(1).optional(),
    /** The gold patch where the file has the fix as whole files. */
    patch_full_file: z.string().min(1).optional(),
    test_patch: z.string().default(""),
    version: z.string().default(""),
    FAIL_TO_PASS: idListSchema,
    PASS_TO_PASS: idListSchema,
    test_cmd: z.string().min(1).optional(),
  })
  .refine((line) => line.patch !== undefined || line.patch_full_file !== undefined, {
    message: "has no gold patch",
    path: ["patch"],
  });

export function readSweBenchTask(line: z.infer<typeof sweBenchLineSchema>, place: string): GradedTask {
  const { command, limitMs } = splitTimeLimit(line.test_cmd);
  return {
    id: line.instance_id,
    repository: line.repo,
    baseCommit: line.base_commit,
    version: line.version,
    setup: undefined,
    hidden: {
      goldPatch: line.patch ?? line.patch_full_file ?? "",
      testPatch: line.test_patch,
      tests: { command, files: [], limitMs },
      lists: readLists(line),
    },
    place,
  };
}

/** A file without fail-to-pass tests says that they were never run, not that there are none. */
function readLists(line: z.infer<typeof sweBenchLineSchema>): TestLists | undefined {
  if (line.FAIL_TO_PASS.length === 0) return undefined;
  return { failToPass: line.FAIL_TO_PASS, passToPass: line.PASS_TO_PASS, flaky: [] };
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
