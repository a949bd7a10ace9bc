/**
 * Reads and writes predictions in SWE-bench's format or the dataset's own. A file is JSON Lines, a JSON list, or an
 * object with entries by task id.
 */
import { z } from "zod";
import type { Dataset, Prediction, WrittenPrediction } from "./datasets/contract.ts";
import type { Candidate } from "./grade-task.ts";
import type { GradedTask } from "./graded-task.ts";
import { findDataset } from "./load-tasks.ts";
import { protocolOf } from "./protocols/index.ts";
import {
  type PlacedRow,
  parseRow,
  parseWhole,
  type RowProblem,
  readRows,
  readTextFile,
  wrongRows,
} from "./rows.ts";

const predictionSchema: z.ZodType<Prediction> = z
  .object({ instance_id: z.string(), model_patch: z.string().nullish() })
  .transform((entry) => ({ id: entry.instance_id, patch: entry.model_patch ?? "" }));

export interface Predictions {
  /** Returns the prediction to grade for a task. An undefined patch means that there is no usable prediction. */
  of(id: string): Candidate;
  /** Entries that cannot be read or do not belong to a task. */
  readonly unreadable: readonly RowProblem[];
}

/** The word that selects the gold patches in place of a file's path. */
export const goldPredictions = "gold";

/**
 * Loads predictions. If `path` is `gold`, each task has its gold patch. Reports entries that cannot be read, and uses
 * the others. If a task has two entries, uses neither. Throws MillwrightError("usage") if the file cannot be read, or
 * if no entry belongs to a task.
 */
export function loadPredictions(path: string, tasks: readonly GradedTask[]): Predictions {
  if (path === goldPredictions) {
    const gold = new Map(tasks.map(({ task, hidden, grader }) => [task.id, protocolOf(grader).gold(hidden)]));
    return { of: (id) => ({ patch: gold.get(id) }), unreadable: [] };
  }
  const problems: RowProblem[] = [];
  const known = new Map(tasks.map(({ task }) => [task.id, task]));
  const [first] = tasks;
  const dataset = first && findDataset(first.dataset);
  const found = new Map<string, Candidate & { readonly place: string }>();
  for (const entry of readEntries(path, dataset, problems)) {
    const { place, data } = entry;
    const { id, patch, message } = readEntry(entry, dataset);
    const task = id === undefined ? undefined : known.get(id);
    const same = id === undefined ? undefined : found.get(id);
    if (message !== undefined) problems.push({ place, message });
    if (id === undefined) continue;
    if (task === undefined) problems.push({ place, message: `there is no task ${id}` });
    else if (same !== undefined) {
      problems.push({ place, message: `${same.place} also has a prediction for ${id}` });
      const because = `the task has two predictions, at ${same.place} and at ${place}`;
      found.set(id, { patch: undefined, because, place });
    } else if (patch === undefined) {
      found.set(id, { patch, because: `the prediction cannot be read: ${place}: ${message}`, place });
    } else {
      const isOwn = !hasField(data, "instance_id");
      found.set(id, { patch: isOwn ? (dataset?.patchOf?.(patch, task) ?? patch) : patch, place });
    }
  }
  if (found.size === 0 && problems.length > 0) throw wrongRows(path, problems);
  return {
    of(id) {
      const { patch, because } = found.get(id) ?? { patch: undefined };
      return { patch, because };
    },
    unreadable: problems,
  };
}

interface ReadEntry {
  /** The task's id; undefined if the task is unknown. */
  readonly id: string | undefined;
  readonly patch: string | undefined;
  readonly message: string | undefined;
}

function readEntry(entry: PlacedRow, dataset: Dataset | undefined): ReadEntry {
  const isOwn = dataset?.prediction !== undefined && !hasField(entry.data, "instance_id");
  const wrong: RowProblem[] = [];
  const read = parseRow(isOwn ? dataset.prediction : predictionSchema, entry, wrong);
  if (read !== undefined) return { ...read, message: undefined };
  const named = z.looseObject({ instance_id: z.string() }).safeParse(entry.data);
  const message = wrong.map((each) => each.message).join("; ");
  return { id: named.data?.instance_id, patch: undefined, message };
}

/**
 * Maps task ids to the patches of a predictions file in SWE-bench's format. Needs no tasks. If an id has several
 * patches, the last counts.
 */
export function readPatches(path: string, problems: RowProblem[]): Map<string, string> {
  const read = readEntries(path, undefined, problems).flatMap(
    (entry) => parseRow(predictionSchema, entry, problems) ?? [],
  );
  return new Map(read.map(({ id, patch }) => [id, patch]));
}

export interface PredictionFile {
  /**
   * The predictions, with an empty patch if the agent produced none. Without an entry, the task would be missing from
   * an official harness's denominator.
   */
  readonly predictions: readonly WrittenPrediction[];
  /** The name of the patches' author, for an official harness. */
  readonly name: string;
  /** The dataset whose format the predictions get: the tasks' dataset or another one. */
  readonly dataset: Pick<Dataset, "formatPrediction" | "formatDocument">;
}

/** Renders one entry per task, in the dataset's own format, or else in SWE-bench's. */
export function renderPredictions({ predictions, name, dataset }: PredictionFile): {
  readonly text: string;
  readonly extension: "json" | "jsonl";
} {
  if (dataset.formatDocument !== undefined) {
    const document = dataset.formatDocument(predictions, name);
    return { text: `${JSON.stringify(document, null, 2)}\n`, extension: "json" };
  }
  const format = dataset.formatPrediction ?? formatSweBench;
  const lines = predictions.map((prediction) => `${JSON.stringify(format(prediction, name))}\n`);
  return { text: lines.join(""), extension: "jsonl" };
}

function formatSweBench({ id, patch }: Prediction, name: string) {
  return { instance_id: id, model_name_or_path: name, model_patch: patch };
}

function hasField(data: unknown, name: string): boolean {
  return data !== null && typeof data === "object" && name in data;
}

/**
 * Reads the entries of a file. A file whose only entry is a prediction is one line of JSON Lines, not an object by id.
 */
function readEntries(path: string, dataset: Dataset | undefined, problems: RowProblem[]): PlacedRow[] {
  const whole = parseWhole(readTextFile(path));
  const own = dataset?.predictionEntries?.(whole);
  if (own !== undefined) return own.map((data, at) => ({ data, place: `${path}[${at}]` }));
  const byId = z.record(z.string(), z.looseObject({})).safeParse(whole);
  if (!byId.success) return readRows(path, problems);
  return Object.entries(byId.data).map(([id, data]) => ({
    data: { instance_id: id, ...data },
    place: `${path}[${JSON.stringify(id)}]`,
  }));
}
