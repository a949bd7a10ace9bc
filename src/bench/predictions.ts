/** Reads and writes predictions as SWE-bench or the tasks' own dataset has them: JSON Lines, a JSON list, or an object by id. */
import { z } from "zod";
import type { Dataset, Prediction } from "./datasets/contract.ts";
import type { GradedTask } from "./graded-task.ts";
import { findDataset } from "./load-tasks.ts";
import { type PlacedRow, parseRow, parseWhole, readRows, readTextFile, wrongRows } from "./rows.ts";

const predictionSchema: z.ZodType<Prediction> = z
  .object({ instance_id: z.string(), model_patch: z.string().nullish() })
  .transform((entry) => ({ id: entry.instance_id, patch: entry.model_patch ?? "" }));

/** The patch of each task that has a prediction, "" for an empty one. */
export type Predictions = ReadonlyMap<string, string>;

/** The word for the gold patches instead of a file. */
export const goldPredictions = "gold";

/** Throws MillwrightError("usage") for what is no prediction, for a task that is not there, and for a second one of a task. */
export function loadPredictions(path: string, tasks: readonly GradedTask[]): Predictions {
  if (path === goldPredictions) return new Map(tasks.map(({ task, hidden }) => [task.id, hidden.goldPatch]));
  const problems: string[] = [];
  const known = new Set(tasks.map(({ task }) => task.id));
  const [first] = tasks;
  const own = first && findDataset(first.dataset).prediction;
  const places = new Map<string, string>();
  const patches = new Map<string, string>();
  for (const entry of readEntries(path, problems)) {
    const { place } = entry;
    const isOwn = own !== undefined && !hasField(entry.data, "instance_id");
    const prediction = parseRow(isOwn ? own : predictionSchema, entry, problems);
    if (prediction === undefined) continue;
    const { id, patch } = prediction;
    if (!known.has(id)) problems.push(`${place}: there is no task ${id}`);
    const same = places.get(id);
    if (same !== undefined) problems.push(`${place}: ${same} has a prediction for ${id} too`);
    places.set(id, place);
    patches.set(id, patch);
  }
  if (problems.length > 0) throw wrongRows(path, problems);
  return patches;
}

export interface PredictionLines {
  /** Empty where the agent gave none: a task without a line would be missing from an official harness's denominator. */
  readonly predictions: readonly Prediction[];
  /** What made the patches, as an official harness will call it. */
  readonly name: string;
  /** The record of the tasks, or another one whose format is wanted. */
  readonly dataset: Pick<Dataset, "formatPrediction">;
}

/** JSON Lines, one for each task, in the dataset's own format where it has one. */
export function renderPredictions({ predictions, name, dataset }: PredictionLines): string {
  const format = dataset.formatPrediction ?? formatSweBench;
  return predictions.map((prediction) => `${JSON.stringify(format(prediction, name))}\n`).join("");
}

function formatSweBench({ id, patch }: Prediction, name: string) {
  return { instance_id: id, model_name_or_path: name, model_patch: patch };
}

function hasField(data: unknown, name: string): boolean {
  return data !== null && typeof data === "object" && name in data;
}

/** A file whose only entry is a prediction is JSON Lines of one line, not an object by id. */
function readEntries(path: string, problems: string[]): PlacedRow[] {
  const byId = z.record(z.string(), z.looseObject({})).safeParse(parseWhole(readTextFile(path)));
  if (!byId.success) return readRows(path, problems);
  return Object.entries(byId.data).map(([id, data]) => ({
    data: { instance_id: id, ...data },
    place: `${path}[${JSON.stringify(id)}]`,
  }));
}
