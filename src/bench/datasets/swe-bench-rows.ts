/** Reads rows with SWE-bench's fields, which many datasets adopted. Each dataset's record adds its own fields. */
import { z } from "zod";
import { commitSchema, type HiddenPart, type PublishedImage, type TestLists, taskIdSchema } from "../task.ts";

/**
 * Parses test ids: a list, or a string that contains a list in JSON or in Python's notation; empty if missing or null.
 */
export const idListSchema = z
  .preprocess(readList, z.array(z.string(), "is not a list of test ids"))
  .default([]);

function readList(value: unknown): unknown {
  if (value === null) return undefined;
  if (typeof value !== "string") return value;
  try {
    return JSON.parse(value);
  } catch {
    return readPythonList(value) ?? value;
  }
}

const pythonString = /'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"/gy;
/** Python writes unprintable characters by their numbers. */
const pythonEscape = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U(000[0-9a-f]{5}|0010[0-9a-f]{4})|(.))/gs;
const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

function readEscape(_: string, x?: string, u?: string, long?: string, letter = ""): string {
  const hex = x ?? u ?? long;
  return hex === undefined ? (escapes[letter] ?? letter) : String.fromCodePoint(Number.parseInt(hex, 16));
}

/** Reads `['a', "it's"]`, Python's notation for a list of strings; undefined for any other text. */
function readPythonList(text: string): string[] | undefined {
  const body = /^\s*\[(.*)\]\s*$/s.exec(text)?.[1]?.trim();
  if (body === undefined) return undefined;
  const found: string[] = [];
  for (let at = 0; at < body.length; ) {
    pythonString.lastIndex = at;
    const [quoted] = pythonString.exec(body) ?? [];
    const rest =
      quoted === undefined ? undefined : /^\s*(?:,\s*|$)/.exec(body.slice(at + quoted.length))?.[0];
    if (quoted === undefined || rest === undefined) return undefined;
    found.push(quoted.slice(1, -1).replaceAll(pythonEscape, readEscape));
    at += quoted.length + rest.length;
  }
  return found;
}

/** Tables contain nulls for missing values. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");
const filled = z
  .string()
  .min(1)
  .nullish()
  .transform((value) => value ?? undefined);

export const sweBenchRow = z
  .object({
    instance_id: taskIdSchema,
    repo: z.string().min(1),
    base_commit: commitSchema,
    problem_statement: text,
    patch: filled,
    /** The gold patch of rows whose file gives the fix as whole files; used if `patch` is missing. */
    patch_full_file: filled,
    test_patch: text,
    version: text,
    FAIL_TO_PASS: idListSchema,
    PASS_TO_PASS: idListSchema,
    test_cmd: filled,
    /** The test commands, which only rows of SWE-bench-Live have. */
    test_cmds: z.array(z.string()).nullish(),
    /** SWE-bench 5 and SWE-bench-Live name an image. */
    image: filled,
    docker_image: filled,
    /** SWE-bench 5 names the parser of its logs. */
    log_parser: filled,
    /** The rule by which SWE-bench 5 grades the row. */
    eval_type: z.enum(["pass_and_fail", "fail_only"]).nullish(),
  })
  .refine((row) => row.patch !== undefined || row.patch_full_file !== undefined, {
    message: "has no gold patch",
    path: ["patch"],
  });
export type SweBenchRow = z.infer<typeof sweBenchRow>;

/**
 * Returns the image that a row names. If the row names none, derives the name by the benchmark's scheme (SWE-bench 5's
 * `get_test_spec`). SWE-bench-Live's images have another namespace. The image has the project in `/testbed`, and its
 * Python in the conda environment `testbed`.
 */
export function imageOfSweBench(
  row: Pick<SweBenchRow, "instance_id"> & Partial<Pick<SweBenchRow, "image" | "docker_image" | "test_cmds">>,
): PublishedImage {
  const namespace = row.test_cmds == null ? "swebench" : "starryzhang";
  const scheme = `${namespace}/sweb.eval.x86_64.${row.instance_id.replaceAll("__", "_1776_").toLowerCase()}:latest`;
  return {
    name: row.image ?? row.docker_image ?? scheme,
    root: "/testbed",
    path: ["/opt/miniconda3/envs/testbed/bin"],
  };
}

/**
 * Reads the row's lists. A missing list of fail-to-pass tests means that nobody ran the tests, not that there are none.
 */
function readLists({ FAIL_TO_PASS, PASS_TO_PASS }: SweBenchRow): TestLists | undefined {
  if (FAIL_TO_PASS.length === 0) return undefined;
  return { failToPass: FAIL_TO_PASS, passToPass: PASS_TO_PASS, flaky: [] };
}

/**
 * Splits `timeout 30 COMMAND` into command and limit. The sandbox enforces the limit, because it also ends leftover
 * processes.
 */
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
    tests: { ...splitTimeLimit(row.test_cmd ?? row.test_cmds?.join("; ")), files: [] },
    lists: readLists(row),
    logParser: row.log_parser,
  };
}
