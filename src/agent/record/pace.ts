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
  /**
   * The recorded decision of a step's execution, or of its last one if the recorded run executed it less often.
   * `time`: the execution's number, from 1. Undefined without one.
   */
  recall(step: string, time: number): Recalled | undefined;
  keep(step: string, time: number, decided: unknown): void;
  close(): void;
}

export interface Recalled {
  readonly decided: unknown;
  /** True if the recorded run executed the step no more. */
  readonly isLast: boolean;
}

export interface PaceOptions {
  /** The folder of the run's own recording. */
  readonly folder: string;
  /** The folder of the recording that the run replays. */
  readonly replayed?: string | undefined;
  /** The data that distinguish the runs of one folder: task and strategy. */
  readonly of: unknown;
}

/** Maximum executions of a step: a damaged number must not fill the memory. */
const mostTimes = 1_000;
const entrySchema = z.object({ step: z.string(), time: z.int().min(1).max(mostTimes), decided: z.unknown() });

export async function openPace({ folder, replayed, of }: PaceOptions): Promise<Pace> {
  const name = `${hashData(of).slice(0, 24)}.pace.jsonl`;
  const lines = replayed === undefined ? [] : await readJsonl(join(replayed, name));
  const recorded = new Map<string, unknown[]>();
  for (const line of lines) {
    const entry = entrySchema.safeParse(line);
    if (!entry.success) continue;
    const { step, time, decided } = entry.data;
    const known = recorded.get(step) ?? [];
    known[time - 1] = decided;
    recorded.set(step, known);
  }
  let writer: JsonlWriter | undefined;
  return {
    recall(step, time) {
      const known = recorded.get(step);
      if (known === undefined) return undefined;
      return { decided: known[Math.min(time, known.length) - 1], isLast: time >= known.length };
    },
    keep(step, time, decided) {
      if (writer === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
      writer ??= openJsonlWriter(join(folder, name));
      writer.append({ step, time, decided }, true);
    },
    close: () => writer?.close(),
  };
}
