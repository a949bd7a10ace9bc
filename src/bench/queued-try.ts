/** A try as a job of a queue: its name says which, its end where its results lie in the store. */
import { z } from "zod";
import { switchesSchema } from "../agent/switches.ts";
import { hashText } from "../base/hash.ts";
import { gradeOutcomeSchema } from "./graders/contract.ts";
import type { Try } from "./try.ts";

export const armSchema = z.object({
  strategy: z.string(),
  model: z.string().nullable(),
  settings: z.record(z.string(), z.unknown()),
  kind: z.literal("auto").optional(),
  switches: switchesSchema.optional(),
});

/** All that a worker has to know of a batch. Paths are the same on all machines; the tasks themselves stay in their file. */
export const batchSpecSchema = z.object({
  schema: z.literal("millwright.batch/1"),
  version: z.string(),
  /** Of the tasks, and its hash. */
  file: z.string(),
  sha256: z.string(),
  /** Where results are handed over. */
  store: z.string(),
  /** Begins the keys of results: another one for a batch that forgets earlier ones. */
  epoch: z.string(),
  /** As `bench run` was given them, with absolute paths. */
  flags: z.record(z.string(), z.unknown()),
  arms: z.array(armSchema),
});
export type BatchSpec = z.infer<typeof batchSpecSchema>;

/** A worker's result of a job: hashes of the objects that it wrote to the store. */
export const endSchema = z.object({
  outcome: gradeOutcomeSchema,
  group: z.int(),
  /** A TryResult. */
  try: z.string(),
  /** The run's folder, as an archive; null where there is none. */
  run: z.string().nullable(),
  /** By key: the files of the store of results, and of that of logs. */
  results: z.record(z.string(), z.string()),
  logs: z.record(z.string(), z.string()),
});
export type QueuedEnd = z.infer<typeof endSchema>;

/** Which try of a batch a job is; one that met an infrastructure error is put again with the next round. */
export interface TryName {
  readonly arm: number;
  readonly attempt: number;
  readonly task: string;
  readonly round: number;
}

export function formatTryName({ arm, attempt, task, round }: TryName): string {
  return `${arm}/${attempt}/${round}/${task}`;
}

/** Undefined for the name of another form. */
export function parseTryName(name: string): TryName | undefined {
  const [, arm, attempt, round, task] = /^(\d+)\/(\d+)\/(\d+)\/(.+)$/s.exec(name) ?? [];
  if (task === undefined) return undefined;
  return { arm: Number(arm), attempt: Number(attempt), round: Number(round), task };
}

/** Tries of one repository: they go where its environments are. */
export function groupOf({ task }: Pick<Try, "task">): number {
  return Number.parseInt(hashText(task.task.repository).slice(0, 8), 16) % 10_000;
}
