/** Loads tasks: rows of a file become tasks and hidden parts by the record of their dataset. */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import type { Dataset, RowSources } from "./datasets/contract.ts";
import { datasets } from "./datasets/index.generated.ts";
import type { GradedTask } from "./graded-task.ts";
import { readParquetRows } from "./parquet-rows.ts";
import { type PlacedRow, readKeyedRows, readRows, wrongRows } from "./rows.ts";
import { taskIdSchema, testListsSchema } from "./task.ts";

export interface TaskSources extends RowSources {
  /** Lists that `bench check --write-lists` wrote: they replace the tasks' own. */
  readonly lists?: string | undefined;
  /** Name of the dataset; default: the one that recognises the rows. */
  readonly dataset?: string | undefined;
}

export const listsLineSchema = testListsSchema.extend({
  schema: z.literal("millwright.lists/1"),
  id: taskIdSchema,
});

/** Throws MillwrightError("usage") that names each wrong row with its field. */
export async function loadTasks(sources: TaskSources): Promise<readonly GradedTask[]> {
  const problems: string[] = [];
  const tasks = new Map<string, GradedTask>();
  for (const task of await readTasks(sources, problems)) {
    const same = tasks.get(task.task.id);
    if (same !== undefined)
      problems.push(`${task.place}: the id ${task.task.id} stands at ${same.place} too`);
    tasks.set(task.task.id, task);
  }
  if (sources.lists !== undefined) replaceLists(tasks, sources.lists, problems);
  if (problems.length > 0) throw wrongRows(sources.tasks, problems);
  return [...tasks.values()];
}

async function readTasks(sources: TaskSources, problems: string[]): Promise<GradedTask[]> {
  const wrongLines: string[] = [];
  const rows = sources.tasks.endsWith(".parquet")
    ? await readParquetRows(sources.tasks)
    : readRows(sources.tasks, wrongLines);
  const dataset = chooseDataset(rows, sources.dataset, problems);
  const own = dataset?.readRows?.(sources, problems);
  if (own === undefined) problems.push(...wrongLines);
  return (own ?? rows).flatMap((row) => dataset?.read(row, problems) ?? []);
}

/** The record of a name. Throws MillwrightError("usage"). */
export function findDataset(name: string): Dataset {
  const found = datasets.find((dataset) => dataset.name === name);
  if (found !== undefined) return found;
  const names = datasets.map((dataset) => dataset.name).join(", ");
  throw new MillwrightError("usage", `There is no dataset ${name}`, { hint: `Known are ${names}.` });
}

function chooseDataset(
  rows: readonly PlacedRow[],
  name: string | undefined,
  problems: string[],
): Dataset | undefined {
  if (name !== undefined) return findDataset(name);
  for (const { data } of rows) {
    if (data === null || typeof data !== "object") continue;
    const found = datasets.find((each) => each.recognises(data as Readonly<Record<string, unknown>>));
    if (found !== undefined) return found;
  }
  const names = datasets.map(({ name }) => name).join(", ");
  problems.push(`no row has the fields of a known dataset (${names}); --dataset names one`);
  return undefined;
}

function replaceLists(tasks: Map<string, GradedTask>, path: string, problems: string[]): void {
  for (const [id, { value, place }] of readKeyedRows(path, listsLineSchema, problems)) {
    const task = tasks.get(id);
    const { failToPass, passToPass, flaky } = value;
    if (task === undefined) problems.push(`${place}: there is no task ${id}`);
    else tasks.set(id, { ...task, hidden: { ...task.hidden, lists: { failToPass, passToPass, flaky } } });
  }
}
