/** Rows with SWE-bench's fields, which many sets took over; a record adds what its own set has beside them. */
import { z } from "zod";
import { commitSchema, type HiddenPart, type TestLists, taskIdSchema } from "../task.ts";

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

export const sweBenchRow = z
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
export type SweBenchRow = z.infer<typeof sweBenchRow>;

/** A row without fail-to-pass tests says that they were never run, not that there are none. */
function readLists({ FAIL_TO_PASS, PASS_TO_PASS }: SweBenchRow): TestLists | undefined {
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

export function hiddenOfSweBench(row: SweBenchRow): HiddenPart {
  return {
    goldPatch: row.patch ?? row.patch_full_file ?? "",
    testPatch: row.test_patch,
    tests: { ...splitTimeLimit(row.test_cmd), files: [] },
    lists: readLists(row),
  };
}
