/**
 * Records what the clock decided in a run with a model: the parts of steps that were done in time, the durations that
 * later choices depend on, and answers of language servers. The file is next to the run's recorded calls. A run that
 * replays these calls decides the same, however fast its machine is.
 */

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { hashData } from "../../base/hash.ts";
import { type JsonlWriter, openJsonlWriter, readJsonl } from "../../base/jsonl.ts";

export interface Pace {
  /** The recorded decision of a step's execution; undefined without one. `time`: the execution's number, from 1. */
  recall(step: string, time: number): unknown;
  keep(step: string, time: number, decided: unknown): void;
  close(): void;
}

export interface PaceOptions {
  /** The folder of the run's own recording. */
  readonly folder: string;
  /** The folder of the recording that the run replays. */
  readonly replayed?: string | undefined;
  /** The data that distinguish the runs of one folder: task and strategy. */
  readonly of: unknown;
}

const entrySchema = z.object({ step: z.string(), time: z.int(), decided: z.unknown() });

export async function openPace({ folder, replayed, of }: PaceOptions): Promise<Pace> {
  const name = `${hashData(of).slice(0, 24)}.pace.jsonl`;
  const lines = replayed === undefined ? [] : await readJsonl(join(replayed, name));
  const recorded = new Map<string, unknown>();
  for (const line of lines) {
    const entry = entrySchema.safeParse(line);
    if (entry.success) recorded.set(keyOf(entry.data.step, entry.data.time), entry.data.decided);
  }
  let writer: JsonlWriter | undefined;
  return {
    recall: (step, time) => recorded.get(keyOf(step, time)),
    keep(step, time, decided) {
      if (writer === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
      writer ??= openJsonlWriter(join(folder, name));
      writer.append({ step, time, decided }, true);
    },
    close: () => writer?.close(),
  };
}

function keyOf(step: string, time: number): string {
  return `${time} ${step}`;
}
