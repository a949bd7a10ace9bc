/** Reads predictions as SWE-bench writes them: JSON Lines, a JSON list, or an object by id. */
import { z } from "zod";
import { readLines, readTextFile, wrongLines } from "./load-tasks.ts";
import type { GradedTask } from "./task.ts";

const predictionSchema = z.object({
  instance_id: z.string(),
  model_patch: z.string().nullish(),
  model_name_or_path: z.string().optional(),
});

/** The patch of each task that has a prediction, "" for an empty one. */
export type Predictions = ReadonlyMap<string, string>;

/** The word for the gold patches instead of a file. */
export const goldPredictions = "gold";

/** Throws MillwrightError("usage") for what is no prediction, for a task that is not there, and for a second one of a task. */
export function loadPredictions(path: string, tasks: readonly GradedTask[]): Predictions {
  if (path === goldPredictions) return new Map(tasks.map((task) => [task.id, task.hidden.goldPatch]));
  const problems: string[] = [];
  const known = new Set(tasks.map((task) => task.id));
  const places = new Map<string, string>();
  const patches = new Map<string, string>();
  for (const { data, place } of readEntries(path, problems)) {
    const parsed = predictionSchema.safeParse(data);
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      problems.push(`${place}: ${issue?.path.join(".") || "the line"}: ${issue?.message}`);
      continue;
    }
    const { instance_id: id, model_patch: patch } = parsed.data;
    if (!known.has(id)) problems.push(`${place}: there is no task ${id}`);
    const same = places.get(id);
    if (same !== undefined) problems.push(`${place}: ${same} has a prediction for ${id} too`);
    places.set(id, place);
    patches.set(id, patch ?? "");
  }
  if (problems.length > 0) throw wrongLines(path, problems);
  return patches;
}

function readEntries(path: string, problems: string[]): { data: unknown; place: string }[] {
  const whole = parseWhole(readTextFile(path));
  if (Array.isArray(whole)) return whole.map((data: unknown, at) => ({ data, place: `${path}[${at}]` }));
  if (whole === undefined || "instance_id" in whole) return readLines(path, problems);
  return Object.entries(whole).map(([id, data]) => ({
    data: data !== null && typeof data === "object" ? { instance_id: id, ...data } : data,
    place: `${path}[${JSON.stringify(id)}]`,
  }));
}

/** The one JSON document that the text is, or undefined for JSON Lines. */
function parseWhole(text: string): unknown[] | Record<string, unknown> | undefined {
  try {
    return z.union([z.array(z.unknown()), z.record(z.string(), z.unknown())]).parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
