/**
 * REPOCOD: a repository lacks the body of one function, and the solver writes it from the signature and documentation.
 */
import { existsSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { z } from "zod";
import repocod from "../graders/repocod.ts";
import { type PlacedRow, readTextFile } from "../rows.ts";
import { formatTargetText } from "../target-text.ts";
import { commitSchema, type DatasetTask, taskIdSchema } from "../task.ts";
import { defineDataset, type RowSources } from "./contract.ts";
import { idListSchema } from "./swe-bench-rows.ts";

/** REPOCOD's fields hold strings or lists of lines. */
const text = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);
const id = z.union([z.string(), z.int()]).transform(String);

const rowSchema = z
  .object({
    /** `seaborn`, or `OWNER/NAME` in your own files. */
    repository: z.string().min(1),
    repo_id: id,
    target_module_path: z.string().min(1),
    function_name: z.string().min(1),
    prompt: text,
    full_function: text,
    /** The published rows name no commit because images contain the repositories; your own files do. */
    base_commit: commitSchema,
    /** The ids in the list named by `relevant_test_path`; absent if there is none. */
    target_tests: idListSchema,
    /** The patch that removes the function's body and its tests from the commit; absent if the base keeps the tests. */
    removal_patch: z.string().min(1).nullish(),
    /** The patch that adds these tests to the base again. */
    test_patch: z.string().nullish(),
    test_cmd: z.string().nullish(),
  })
  .refine((row) => taskIdSchema.safeParse(idOf(row)).success, {
    message:
      "and repository make an invalid task id: it must begin with a letter or digit and contain only letters, digits and _ . + @ -",
    path: ["repo_id"],
  });
type Row = z.infer<typeof rowSchema>;

interface Numbered {
  readonly repository: string;
  readonly repo_id: string;
}

function idOf({ repository, repo_id }: Numbered): string {
  return `${repository.replace("/", "__")}-${repo_id}`;
}

/** REPOCOD lists 600 seconds for one run. */
const limitMs = 600_000;

/**
 * Adds the lists of tests to the rows. Reads them from files in `target_test_cases` next to the rows; the images also
 * contain this folder.
 */
function addLists(rows: readonly PlacedRow[], { tasks }: RowSources): PlacedRow[] {
  return rows.map(({ data, place }) => {
    if (data === null || typeof data !== "object" || "target_tests" in data) return { data, place };
    const fields: { relevant_test_path?: unknown; relavent_test_path?: unknown } = data;
    const named = fields.relevant_test_path ?? fields.relavent_test_path;
    if (typeof named !== "string") return { data, place };
    const path = join(dirname(tasks), "target_test_cases", posix.basename(named));
    if (!existsSync(path)) return { data, place };
    const lines = readTextFile(path).split("\n");
    const ids = lines.map((line) => line.trim()).filter((line) => line !== "");
    return { data: { ...data, target_tests: ids }, place };
  });
}

/**
 * Returns the prompt as an agent sees it: signature and documentation only. A prompt without documentation lacks a
 * complete function.
 */
function withoutBody(prompt: string): string {
  const plain = prompt.trimEnd();
  if (!plain.endsWith(":")) return `${plain}\n`;
  const indent = /^[ \t]*/.exec(plain.split("\n").find((line) => line.trim() !== "") ?? "")?.[0] ?? "";
  return `${plain}\n${indent}    ...\n`;
}

export default defineDataset({
  name: "repocod",
  description:
    "Functions of Python projects to be written from their signature and documentation (REPOCOD, Lite)",
  card: { home: "https://github.com/lt-asset/REPOCOD", paper: "https://arxiv.org/abs/2410.21647" },
  recognises: (row) => "target_module_path" in row && "full_function" in row,
  completeRows: addLists,
  row: rowSchema,
  task: (row) => ({
    id: idOf(row),
    kind: "code-generation",
    statement: row.prompt,
    repository: row.repository,
    baseCommit: row.base_commit,
    version: "",
    target: targetOf(row),
  }),
  hidden: (row) => ({
    goldPatch: formatTargetText({ target: targetOf(row), text: row.full_function }),
    testPatch: row.test_patch ?? "",
    tests: {
      command: row.test_cmd ?? undefined,
      files: [...new Set(row.target_tests.map((test) => test.split("::")[0] ?? ""))],
      limitMs,
    },
    lists:
      row.target_tests.length === 0 ? undefined : { failToPass: row.target_tests, passToPass: [], flaky: [] },
  }),
  environment: (row) => ({
    basePatch:
      row.removal_patch ?? formatTargetText({ target: targetOf(row), text: withoutBody(row.prompt) }),
  }),
  grader: repocod,
  predictionEntries: readEntries,
  prediction: z
    .object({ repository: z.string(), repo_id: id, output: text.nullish() })
    .transform((entry) => ({ id: idOf(entry), patch: entry.output ?? "" })),
  patchOf,
  formatDocument(predictions) {
    const document: Record<string, Record<string, unknown>> = {};
    for (const { task, target } of predictions) {
      const own = document[task.repository] ?? {};
      const number = task.id.slice(task.repository.replace("/", "__").length + 1);
      own[number] = {
        function_name: task.target?.split(":").at(-1) ?? "",
        prompt: task.statement,
        output: target ?? "",
      };
      document[task.repository] = own;
    }
    return document;
  },
});

function targetOf({ target_module_path, function_name }: Row): string {
  return `${target_module_path}:${function_name}`;
}

const entries = z.record(z.string(), z.record(z.string(), z.looseObject({ output: z.unknown() })));

/** Reads the entries of `{REPOSITORY: {ID: {function_name, prompt, output}}}`. */
function readEntries(document: unknown): readonly unknown[] | undefined {
  const parsed = entries.safeParse(document);
  if (!parsed.success) return undefined;
  return Object.entries(parsed.data).flatMap(([repository, own]) =>
    Object.entries(own).map(([repo_id, entry]) => ({ ...entry, repository, repo_id })),
  );
}

/**
 * Makes the function's text from an agent's output. An output that begins with `def` is the whole function. Any other
 * output continues the function's signature and documentation.
 */
function patchOf(output: string, { target, statement }: DatasetTask): string {
  if (output.trim() === "" || target === undefined) return "";
  const isWhole = output.trim().startsWith("def ");
  return formatTargetText({ target, text: isWhole ? output : `${statement}${output}` });
}
