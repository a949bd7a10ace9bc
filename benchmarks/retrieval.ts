/**
 * Measures how well retrieval without a model finds the places of a fix, from an issue's text and the repository at its
 * base commit. Also ranks whole files with plain BM25 in the same run. Run with `npm run bench:retrieval --
 * TASKS.jsonl… --repositories DIR`.
 *
 * The right answers are the files (no tests, documents, generated files) that the gold patch changes, and the functions
 * around its lines. The task files have SWE-bench's fields. DIR contains the repositories as OWNER__NAME, bare or with
 * a work tree.
 *
 * --split NAME     only tasks with this value in the field `split`
 * --only TEXT      only tasks whose id contains the text
 * --budget TOKENS  maximum tokens of an answer (default 6000)
 * --cache DIR      the folder of checkouts and indexes (default: under the user's cache directory)
 * --details        the ranks of each task
 */
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { findTaskCommit } from "../src/bench/find-repository.ts";
import { defaultBudget } from "../src/graph/retrieval/choose-shown.ts";
import { openTaskIndex } from "./retrieval-index.ts";
import { measureTask } from "./retrieval-measure.ts";
import { type MeasuredTask, renderDetails, renderTables } from "./retrieval-tables.ts";
import { goldOf, type RetrievalTask, readRetrievalTasks } from "./retrieval-tasks.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    repositories: { type: "string" },
    split: { type: "string" },
    only: { type: "string", default: "" },
    budget: { type: "string" },
    cache: { type: "string" },
    details: { type: "boolean", default: false },
  },
});
if (positionals.length === 0 || values.repositories === undefined) {
  process.stderr.write("usage: npm run bench:retrieval -- TASKS.jsonl… --repositories DIR [--split NAME]\n");
  process.exit(2);
}
const cacheHome = process.env.XDG_CACHE_HOME || join(homedir(), ".cache");
const cache = values.cache ?? join(cacheHome, "millwright", "bench-retrieval");
const budget = { ...defaultBudget, tokens: Number(values.budget ?? defaultBudget.tokens) };
const measured: MeasuredTask[] = [];
const failed: string[] = [];
for (const path of positionals) {
  const { tasks, unusable } = readRetrievalTasks(path);
  if (unusable > 0) failed.push(`${path}: ${unusable} lines have no commit, patch or statement`);
  for (const task of tasks) {
    if (values.split !== undefined && task.split !== values.split) continue;
    if (task.instance_id.includes(values.only)) await measure(task);
  }
}
if (values.details) process.stdout.write(renderDetails(measured));
process.stdout.write(renderTables(measured));
for (const text of failed) process.stdout.write(`not measured: ${text}\n`);

async function measure(task: RetrievalTask): Promise<void> {
  try {
    const { gitDirectory } = await findTaskCommit(
      { repositories: values.repositories },
      task.repo,
      task.base_commit,
    );
    const folder = join(cache, task.repo.replaceAll("/", "__"));
    const opened = await openTaskIndex(gitDirectory, task.base_commit, folder);
    const result = measureTask(opened, task.problem_statement, goldOf(task.patch), budget);
    opened.close();
    if (result === undefined) failed.push(`${task.instance_id}: the patch changes no file that is searched`);
    else measured.push({ id: task.instance_id, language: task.language, measured: result });
    process.stderr.write(`\r${measured.length} tasks `);
  } catch (error) {
    failed.push(`${task.instance_id}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
