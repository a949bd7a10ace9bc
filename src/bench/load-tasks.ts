/** Loads tasks from a file. The dataset's record turns each row into a task and its hidden part. */

import { statSync } from "node:fs";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { isRecord } from "../base/fields.ts";
import { hashData, hashText } from "../base/hash.ts";
import { readGivenFile } from "../base/regular-file.ts";
import type { Dataset, RowSources } from "./datasets/contract.ts";
import { datasets } from "./datasets/index.generated.ts";
import type { GradedTask } from "./graded-task.ts";
import { readParquetRows } from "./parquet-rows.ts";
import { type PlacedRow, type RowProblem, readKeyedRows, readRows, wrongRows } from "./rows.ts";
import { taskIdSchema, testListsSchema } from "./task.ts";

export interface TaskSources extends RowSources {
  /** Lists written by `bench check --write-lists`, which replace the tasks' own. */
  readonly lists?: string | undefined;
  /** The dataset's name; default: the one that recognises the rows. */
  readonly dataset?: string | undefined;
}

export const listsLineSchema = testListsSchema.extend({
  schema: z.literal("millwright.lists/1"),
  id: taskIdSchema,
});

/**
 * Loads tasks. Adds unreadable rows and repeated ids to `unreadable`; all other rows become tasks. Throws
 * MillwrightError("usage") if no row becomes a task because of such problems, or if a file of test lists is invalid.
 */
export async function loadTasks(
  sources: TaskSources,
  unreadable: RowProblem[] = [],
): Promise<readonly GradedTask[]> {
  const problems: RowProblem[] = [];
  const tasks = new Map<string, GradedTask>();
  for (const task of await readTasks(sources, problems)) {
    const { place } = task;
    const same = tasks.get(task.task.id);
    if (same === undefined) tasks.set(task.task.id, task);
    else problems.push({ place, message: `the id ${task.task.id} also occurs at ${same.place}` });
  }
  if (tasks.size === 0 && problems.length > 0) throw wrongRows(sources.tasks, problems);
  if (sources.lists !== undefined) replaceLists(tasks, sources.lists, problems.length > 0);
  unreadable.push(...problems);
  return [...tasks.values()];
}

async function readTasks(sources: TaskSources, problems: RowProblem[]): Promise<GradedTask[]> {
  const wrongLines: RowProblem[] = [];
  const rows = await readTaskRows(sources.tasks, wrongLines);
  const dataset = chooseDataset(rows, sources.dataset);
  if (dataset === undefined) {
    const names = datasets.map(({ name }) => name).join(", ");
    const message = `no row has the fields of a known dataset (${names}); choose one with --dataset`;
    problems.push(...wrongLines, { place: sources.tasks, message });
    return [];
  }
  problems.push(...wrongLines);
  const whole = dataset.completeRows?.(rows, sources, problems) ?? rows;
  return whole.flatMap((row) => dataset.read(row, problems) ?? []);
}

/**
 * Reads the rows of a Parquet, JSON Lines or JSON file, or of a folder that a dataset knows. Adds unreadable rows to
 * `problems`. Throws MillwrightError("usage") if the file cannot be read, or no dataset knows the folder.
 */
export async function readTaskRows(path: string, problems: RowProblem[]): Promise<readonly PlacedRow[]> {
  if (isFolder(path)) return readFolder(path, problems);
  return path.endsWith(".parquet") ? readParquetRows(path) : readRows(path, problems);
}

/**
 * Hashes a file of tasks, or the rows of a folder. Throws MillwrightError("usage") for a file too large and for an
 * unknown folder, and the system's error for an unreadable file.
 */
export function hashTasks(path: string): string {
  return isFolder(path)
    ? hashData(readFolder(path, []).map(({ data }) => data))
    : hashText(readGivenFile(path));
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function readFolder(path: string, problems: RowProblem[]): readonly PlacedRow[] {
  for (const { readFolder: read } of datasets) {
    const rows = read?.(path, problems);
    if (rows !== undefined) return rows;
  }
  const known = datasets.filter((dataset) => dataset.readFolder !== undefined).map(({ name }) => name);
  throw new MillwrightError("usage", `${path} is a folder, but not a clone of ${known.join(" or ")}`, {
    hint: "Give a file of tasks. docs/grading.md describes the formats.",
  });
}

/** Finds the record of the dataset with this name. Throws MillwrightError("usage") if there is no such dataset. */
export function findDataset(name: string): Dataset {
  const found = datasets.find((dataset) => dataset.name === name);
  if (found !== undefined) return found;
  const names = datasets.map((dataset) => dataset.name).join(", ");
  throw new MillwrightError("usage", `There is no dataset ${name}`, { hint: `Known datasets: ${names}.` });
}

function chooseDataset(rows: readonly PlacedRow[], name: string | undefined): Dataset | undefined {
  if (name !== undefined) return findDataset(name);
  for (const { data } of rows) {
    if (!isRecord(data)) continue;
    const found = datasets.find((each) => each.recognises(data));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Replaces the tasks' lists. `isPartial`: true if some tasks are missing because their rows cannot be read. Lists of
 * unknown tasks may then belong to these tasks, and are no error.
 */
function replaceLists(tasks: Map<string, GradedTask>, path: string, isPartial: boolean): void {
  const problems: RowProblem[] = [];
  for (const [id, { value, place }] of readKeyedRows(path, listsLineSchema, problems)) {
    const task = tasks.get(id);
    const { failToPass, passToPass, flaky } = value;
    if (task !== undefined)
      tasks.set(id, { ...task, hidden: { ...task.hidden, lists: { failToPass, passToPass, flaky } } });
    else if (!isPartial) problems.push({ place, message: `there is no task ${id}` });
  }
  if (problems.length > 0) throw wrongRows(path, problems);
}
