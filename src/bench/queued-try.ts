/**
 * Represents a try as a job of a queue. The job's name identifies the try. The data of the job's end name the results
 * in the store.
 */
import { z } from "zod";
import { switchesSchema } from "../agent/switches.ts";
import { hashText } from "../base/hash.ts";
import { gradeOutcomeSchema } from "./graders/contract.ts";

export const armSchema = z.object({
  strategy: z.string(),
  model: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  kind: z.literal("auto").optional(),
  switches: switchesSchema.optional(),
});

/**
 * The data of a batch that a worker needs. Paths must be the same on all machines. Does not include the tasks: each
 * worker reads their file.
 */
export const batchSpecSchema = z.object({
  schema: z.literal("millwright.batch/1"),
  version: z.string(),
  /** The task file, and its hash. */
  file: z.string(),
  sha256: z.string(),
  /** Hashes of the files beside the task file, by path: hidden parts, lists and environments. */
  beside: z.record(z.string(), z.string()).default({}),
  /** The shared store of results. */
  store: z.string(),
  storeId: z.string(),
  /** Prefix of the results' keys. A batch that ignores earlier results has a new prefix. */
  epoch: z.string(),
  /** The flags of `bench run`, with absolute paths. */
  flags: z.record(z.string(), z.unknown()),
  arms: z.array(armSchema),
  /** Ids of tasks whose repository or commit is missing on the machine of `bench run`. */
  unfound: z.array(z.string()),
});
export type BatchSpec = z.infer<typeof batchSpecSchema>;

/** A worker's result of a job: the outcome, and the hashes of the objects that the worker wrote to the store. */
export const endSchema = z.object({
  outcome: gradeOutcomeSchema,
  group: z.int(),
  /** Hash of the TryResult. */
  try: z.string(),
  /** Hash of the archive of the run's folder; null if there is none. */
  run: z.string().nullable(),
  /** Hashes of files in the stores of results and of logs, by key. */
  results: z.record(z.string(), z.string()),
  logs: z.record(z.string(), z.string()),
});
export type QueuedEnd = z.infer<typeof endSchema>;

/**
 * The parts of a try's name. `round`: one more for each time that the queue gets the try again after an infrastructure
 * error.
 */
export interface TryName {
  readonly arm: number;
  readonly attempt: number;
  readonly task: string;
  readonly round: number;
}

export function formatTryName({ arm, attempt, task, round }: TryName): string {
  return `${arm}/${attempt}/${round}/${task}`;
}

/** Parses a try's name; undefined if the name has another form. */
export function parseTryName(name: string): TryName | undefined {
  const [, arm, attempt, round, task] = /^(\d+)\/(\d+)\/(\d+)\/(.+)$/s.exec(name) ?? [];
  if (task === undefined) return undefined;
  return { arm: Number(arm), attempt: Number(attempt), round: Number(round), task };
}

/** Returns the lane of an arm's tries. Workers skip an arm's lane if its provider accepts no calls. */
export function laneOf({ arm }: Pick<TryName, "arm">): string {
  return String(arm);
}

/**
 * Returns a number that all tries of one repository share. With this number, the queue prefers workers that already
 * have the repository's environments.
 */
export function groupOf(repository: string): number {
  return Number.parseInt(hashText(repository).slice(0, 8), 16) % 10_000;
}
