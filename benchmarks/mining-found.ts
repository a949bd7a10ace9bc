/**
 * Counts the tasks of a published benchmark that `bench mine filter` finds again, and prints the reasons for missed
 * tasks. `npm run bench:mining-found -- TASKS.jsonl FOLDER…`: rows with `instance_id`, `patch` and, if known,
 * `gold_commit`; folders of `bench mine`. A task is found if a kept change has its number, its commit, or the same
 * changed lines of code.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { readJsonl } from "../src/base/jsonl.ts";
import { patchKey } from "../src/mine/review/duplicates.ts";

const taskSchema = z.object({
  instance_id: z.string(),
  patch: z.string(),
  gold_commit: z.string().optional(),
});
const lineSchema = z.object({
  step: z.string(),
  key: z.string(),
  candidate: z.string(),
  commit: z.string(),
  verdict: z.string(),
  cause: z.string().default(""),
  detail: z.string().default(""),
});
const splitSchema = z.object({
  result: z.object({ value: z.object({ goldPatch: z.string(), codeFiles: z.array(z.string()) }) }),
});
type Split = z.infer<typeof splitSchema>["result"]["value"];

const [file = "", ...folders] = process.argv.slice(2);
const tasks = (await readJsonl(file)).map((row) => taskSchema.parse(row));
const judged: { line: z.infer<typeof lineSchema>; split?: Split }[] = [];
for (const folder of folders) {
  for (const row of await readJsonl(join(folder, "ledger.jsonl"))) {
    const line = lineSchema.parse(row);
    if (line.step !== "filter") continue;
    const path = join(folder, "results", `${line.key}.json`);
    const isKept = line.verdict === "kept" && existsSync(path);
    judged.push(
      isKept
        ? { line, split: splitSchema.parse(JSON.parse(readFileSync(path, "utf8"))).result.value }
        : { line },
    );
  }
}

const nothing = patchKey({ goldPatch: "", codeFiles: [] });
let found = 0;
for (const { instance_id: id, patch, gold_commit: commit } of tasks) {
  const makes = (split: Split): boolean => {
    const key = patchKey({ ...split, goldPatch: patch });
    return key !== nothing && key === patchKey(split);
  };
  const own = judged.find(({ line }) => line.candidate === id || line.commit === commit);
  const kept =
    own?.split === undefined ? judged.find(({ split }) => split !== undefined && makes(split)) : own;
  if (kept !== undefined) found += 1;
  const dropped =
    own === undefined ? "no change has its number or lines" : `${own.line.cause}: ${own.line.detail}`;
  console.log(`${id.padEnd(28)} ${kept === undefined ? dropped : `found as ${kept.line.candidate}`}`);
}
console.log(`${found} of ${tasks.length} tasks found (${((100 * found) / tasks.length).toFixed(0)} %)`);
